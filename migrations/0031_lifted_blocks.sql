-- A payment reference as it is compared; it pays one withdrawal of a kind of destination.
ALTER TABLE withdrawals ADD COLUMN reference_key TEXT;
UPDATE withdrawals SET reference_key = lower(trim(payment_reference)) WHERE payment_reference IS NOT NULL;
DROP INDEX withdrawals_payment;
CREATE INDEX withdrawals_payment ON withdrawals (tenant_id, payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX withdrawals_reference ON withdrawals (tenant_id, reference_key) WHERE reference_key IS NOT NULL;

-- Who entered destinations that a merge made one with this.
ALTER TABLE payout_destinations ADD COLUMN also_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(also_by));

-- The journal tells as well who changed who a client is, and who set or lifted what stops their money.
CREATE TABLE client_acts_with_blocks (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as',
    'deposit', 'transfer', 'refused_transfer', 'unsent_withdrawal', 'credit', 'rate', 'gateway_secret',
    'linked_account', 'changed_phone', 'changed_name', 'changed_country', 'changed_birth_date', 'sent_link',
    'gave_broker', 'merged', 'confirmed_match', 'set_hold', 'stopped', 'failed_kyc', 'lifted_match', 'lifted_hold',
    'lifted_stop', 'lifted_kyc')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
INSERT INTO client_acts_with_blocks SELECT tenant_id, id, trader_id, user_id, act, created_at FROM client_acts;
DROP TABLE client_acts;
ALTER TABLE client_acts_with_blocks RENAME TO client_acts;
CREATE INDEX client_acts_trader ON client_acts (tenant_id, trader_id, created_at);
CREATE INDEX client_acts_user ON client_acts (tenant_id, user_id, created_at);

-- Clearing a confirmed match takes two people: the first word of them.
ALTER TABLE sanctions_hits ADD COLUMN first_word_by TEXT;
ALTER TABLE sanctions_hits ADD COLUMN first_word_at INTEGER;

-- Whoever handed papers in does not approve them. Approved papers of somebody who is called otherwise since wait again.
ALTER TABLE kyc_submissions ADD COLUMN handed_by TEXT;
ALTER TABLE kyc_submissions ADD COLUMN reopened_at INTEGER;

-- What was set before the journal knew of it: who confirmed a match, and who gave the last failing word on papers.
INSERT INTO client_acts (tenant_id, id, trader_id, user_id, act, created_at)
  SELECT tenant_id, 'cac_' || substr(id, 5), trader_id, decided_by, 'confirmed_match', decided_at FROM sanctions_hits
  WHERE status = 'confirmed' AND decided_by IS NOT NULL AND decided_at IS NOT NULL;
INSERT INTO client_acts (tenant_id, id, trader_id, user_id, act, created_at)
  SELECT tenant_id, 'cac_' || substr(id, 5), trader_id, decided_by, 'failed_kyc', decided_at FROM kyc_submissions AS red
  WHERE status = 'rejected' AND (rejection_kind = 'final' OR rejection_code = 'revoked')
    AND decided_by IS NOT NULL AND decided_at IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM kyc_submissions AS later WHERE later.tenant_id = red.tenant_id
      AND later.trader_id = red.trader_id AND later.status = 'approved' AND later.decided_at > red.decided_at);
