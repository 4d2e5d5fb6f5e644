-- Who says which numbers of a platform are a client's says whose money is there: one more act that is noted.
CREATE TABLE client_acts_with_links (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as',
    'deposit', 'transfer', 'refused_transfer', 'credit', 'rate', 'gateway_secret', 'linked_account')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
INSERT INTO client_acts_with_links SELECT tenant_id, id, trader_id, user_id, act, created_at FROM client_acts;
DROP TABLE client_acts;
ALTER TABLE client_acts_with_links RENAME TO client_acts;
CREATE INDEX client_acts_trader ON client_acts (tenant_id, trader_id, created_at);
CREATE INDEX client_acts_user ON client_acts (tenant_id, user_id, created_at);

-- When the platform (or somebody by hand) last said anything of an account, also that nothing changed.
ALTER TABLE accounts ADD COLUMN reported_at INTEGER;
UPDATE accounts SET reported_at = balance_at;
-- Which member of staff (a key counts as its maker) reported last; null for a bridge, which is a key that an owner made.
ALTER TABLE account_streams ADD COLUMN reported_by TEXT;
