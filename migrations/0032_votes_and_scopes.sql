-- More decisions have scopes of their own: a key from before lost them, and its page names which.
WITH decisions (old, new) AS (VALUES ('wallets:write', 'gifts:write'), ('wallets:write', 'bridge:write'),
  ('affiliates:write', 'affiliate-decisions:write'), ('kyc:write', 'kyc-decisions:write'),
  ('kyc:write', 'sanctions-decisions:write'), ('traders:write', 'holds:write'), ('traders:write', 'merges:write'))
UPDATE api_keys SET lost_scopes = (
  SELECT json_group_array(scope) FROM (
    SELECT value AS scope FROM json_each(api_keys.lost_scopes)
    UNION ALL SELECT new FROM decisions WHERE old IN (SELECT value FROM json_each(api_keys.scopes))));

-- Payouts of affiliates take the tiers of the approval policy: who voted, as which role and when.
ALTER TABLE affiliate_payouts ADD COLUMN votes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(votes));
-- When nothing was left unpaid: what was earned before is paid, so whose terms it was does not matter any more.
ALTER TABLE affiliate_balances ADD COLUMN paid_up_at INTEGER NOT NULL DEFAULT 0;
DROP INDEX commission_lines_plan;
CREATE INDEX commission_lines_plan ON commission_lines (tenant_id, plan_version_id, affiliate_id, created_at);
