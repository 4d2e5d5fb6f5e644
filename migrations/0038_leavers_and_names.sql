-- Clients that somebody entered, counted when they leave: without it each count would read the whole log.
CREATE INDEX audit_entered ON audit (tenant_id, actor_id, at, entity, action)
  WHERE entity = 'trader' AND action IN ('trader.create', 'lead.convert');
