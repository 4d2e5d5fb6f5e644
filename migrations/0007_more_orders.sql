-- Tickets are sorted by priority and not by its letters; the inbox lists open ones, so that order has an index with the
-- status too. Deposits are sorted by when they were credited, withdrawals by when they were paid; the others come last.
ALTER TABLE tickets ADD COLUMN priority_order INTEGER GENERATED ALWAYS AS (
  CASE priority WHEN 'low' THEN 0 WHEN 'normal' THEN 1 WHEN 'high' THEN 2 ELSE 3 END
) VIRTUAL;
CREATE INDEX tickets_priority_order ON tickets (tenant_id, priority_order, id);
CREATE INDEX tickets_status_priority ON tickets (tenant_id, status, priority_order, id);
CREATE INDEX deposits_settled_order ON deposits (tenant_id, ifnull(settled_at, -1), id);
CREATE INDEX withdrawals_paid_order ON withdrawals (tenant_id, ifnull(paid_at, -1), id);
