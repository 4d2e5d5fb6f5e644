-- Wrong codes of the second factor, over all addresses: the times of the last ten, and when the holder was told. Kept here, so that no crash forgets them.
ALTER TABLE credentials ADD COLUMN code_failures TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(code_failures));
ALTER TABLE credentials ADD COLUMN code_alarm_at INTEGER;

-- The sealed token of a link, so that a link that is still good can be mailed once more.
ALTER TABLE one_time_links ADD COLUMN token BLOB;

-- When links were mailed to whom (a keyed hash of the address): three an hour. Kept for an hour.
CREATE TABLE link_mails (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  recipient TEXT NOT NULL,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX link_mails_recipient ON link_mails (tenant_id, recipient, sent_at);
CREATE INDEX link_mails_sent ON link_mails (sent_at);

-- A session ends after 30 days at the latest, whatever use it sees.
UPDATE sessions SET expires_at = min(expires_at, created_at + 2592000000);

-- A key may act with a role below its maker's.
ALTER TABLE api_keys ADD COLUMN role TEXT CHECK (role IN ('viewer', 'operator', 'manager', 'admin', 'owner', 'platform_admin'));
-- What a key might do until decisions about money got scopes of their own, for its page to name.
ALTER TABLE api_keys ADD COLUMN lost_scopes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(lost_scopes));
WITH decisions (old, new) AS (VALUES ('deposits:write', 'deposit-decisions:write'), ('withdrawals:write', 'withdrawal-decisions:write'),
  ('withdrawals:write', 'payouts:write'), ('wallets:write', 'adjustment-decisions:write'))
UPDATE api_keys SET lost_scopes = (
  SELECT json_group_array(new) FROM decisions
  WHERE old IN (SELECT value FROM json_each(api_keys.scopes)) AND new NOT IN (SELECT value FROM json_each(api_keys.scopes)))
WHERE created_at < (SELECT applied_at FROM schema_migrations WHERE name = '0005_two_people');
