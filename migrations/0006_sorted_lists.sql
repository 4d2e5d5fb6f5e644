-- Leads, clients, matches and positions are sorted by what their lists show. Words with an order of their own, such as
-- the status of a lead, are sorted in that order and not by letters.
ALTER TABLE leads ADD COLUMN name_order TEXT GENERATED ALWAYS AS (
  lower(coalesce(nullif(trim(ifnull(last_name, '') || ' ' || ifnull(first_name, '')), ''), email, phone, ''))
) VIRTUAL;
ALTER TABLE leads ADD COLUMN status_order INTEGER GENERATED ALWAYS AS (
  CASE status WHEN 'new' THEN 0 WHEN 'contacted' THEN 1 WHEN 'nurture' THEN 2 WHEN 'qualified' THEN 3
    WHEN 'converted' THEN 4 WHEN 'unqualified' THEN 5 ELSE 6 END
) VIRTUAL;
CREATE INDEX leads_name_order ON leads (tenant_id, name_order, id) WHERE deleted_at IS NULL;
CREATE INDEX leads_status_order ON leads (tenant_id, status_order, id) WHERE deleted_at IS NULL;

ALTER TABLE traders ADD COLUMN risk_order INTEGER GENERATED ALWAYS AS (
  CASE risk_level WHEN 'low' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END
) VIRTUAL;
CREATE INDEX traders_risk_order ON traders (tenant_id, risk_order, id) WHERE deleted_at IS NULL;

-- The console lists open matches and open positions, so each order has an index with the status too.
CREATE INDEX sanctions_hits_score ON sanctions_hits (tenant_id, score, id);
CREATE INDEX sanctions_hits_status_score ON sanctions_hits (tenant_id, status, score, id);
CREATE INDEX positions_symbol_order ON positions (tenant_id, symbol, id);
CREATE INDEX positions_status_symbol ON positions (tenant_id, status, symbol, id);
CREATE INDEX positions_volume ON positions (tenant_id, volume, id);
CREATE INDEX positions_status_volume ON positions (tenant_id, status, volume, id);
CREATE INDEX positions_result ON positions (tenant_id, currency, profit, id);
CREATE INDEX positions_status_result ON positions (tenant_id, status, currency, profit, id);

-- Tickets are sorted by priority and not by its letters; the inbox lists open ones, so that order has an index with the
-- status too. Deposits are sorted by when they were credited, withdrawals by when they were paid; the others come last.
ALTER TABLE tickets ADD COLUMN priority_order INTEGER GENERATED ALWAYS AS (
  CASE priority WHEN 'low' THEN 0 WHEN 'normal' THEN 1 WHEN 'high' THEN 2 ELSE 3 END
) VIRTUAL;
CREATE INDEX tickets_priority_order ON tickets (tenant_id, priority_order, id);
CREATE INDEX tickets_status_priority ON tickets (tenant_id, status, priority_order, id);
CREATE INDEX deposits_settled_order ON deposits (tenant_id, ifnull(settled_at, -1), id);
CREATE INDEX withdrawals_paid_order ON withdrawals (tenant_id, ifnull(paid_at, -1), id);
