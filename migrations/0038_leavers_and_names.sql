-- Clients that somebody entered, counted when they leave: without it each count would read the whole log.
CREATE INDEX audit_entered ON audit (tenant_id, actor_id, at, entity, action)
  WHERE entity = 'trader' AND action IN ('trader.create', 'lead.convert');

-- What colleagues were called before, each name with until when: what they did keeps the name that they had then.
CREATE TABLE user_names (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX user_names_user ON user_names (tenant_id, user_id, until);

-- Renames of before stand in the audit.
INSERT INTO user_names (tenant_id, id, user_id, name, until)
  SELECT audit.tenant_id, 'unm_' || audit.seq, audit.entity_id, audit_data.before ->> 'displayName', audit.at
  FROM audit JOIN audit_data ON audit_data.tenant_id = audit.tenant_id AND audit_data.seq = audit.seq
  WHERE audit.action = 'user.update' AND audit.entity = 'user'
    AND audit_data.before ->> 'displayName' <> audit_data.after ->> 'displayName';
