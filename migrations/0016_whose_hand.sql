-- Who says that an approved withdrawal was never sent brings that money to the client again: one more act that is noted.
CREATE TABLE client_acts_with_unsent (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as',
    'deposit', 'transfer', 'refused_transfer', 'unsent_withdrawal', 'credit', 'rate', 'gateway_secret',
    'linked_account')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
INSERT INTO client_acts_with_unsent SELECT tenant_id, id, trader_id, user_id, act, created_at FROM client_acts;
DROP TABLE client_acts;
ALTER TABLE client_acts_with_unsent RENAME TO client_acts;
CREATE INDEX client_acts_trader ON client_acts (tenant_id, trader_id, created_at);
CREATE INDEX client_acts_user ON client_acts (tenant_id, user_id, created_at);

-- Who removed a rate of the firm: the price that holds without it is their word too.
ALTER TABLE fx_rates ADD COLUMN ended_by TEXT;
CREATE INDEX fx_rates_removed ON fx_rates (tenant_id, ended_at) WHERE ended_by IS NOT NULL;

-- Bytes are judged when they come now; what came to the build before and was not confirmed yet has to come again.
UPDATE files SET expires_at = created_at WHERE status = 'uploaded';
