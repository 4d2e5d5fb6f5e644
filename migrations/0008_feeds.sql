-- Feeds: events, positions and balances that others follow.

-- Until when the old secret still signs beside the new one; it was a day after the rotation, always.
ALTER TABLE webhook_subscriptions RENAME COLUMN next_secret_at TO overlap_until;
UPDATE webhook_subscriptions SET overlap_until = overlap_until + 86400000 WHERE overlap_until IS NOT NULL;

-- Updates of positions are kept for a day, all other events for thirty.
CREATE INDEX events_updates ON events (created_at) WHERE event = 'position.updated';
-- What the erasure of a person finds the sent copies of an event by; a first delivery is found by
-- webhook_deliveries_once.
CREATE INDEX webhook_deliveries_replays ON webhook_deliveries (tenant_id, event_id) WHERE replay_of IS NOT NULL;
-- The last number that is gone for good, by firm: a reader who asks for what came after an earlier one has missed
-- something.
INSERT INTO job_state (name, value)
  SELECT 'events.gone.' || tenant_id, min(sequence) - 1 FROM events GROUP BY tenant_id HAVING min(sequence) > 1;
INSERT INTO job_state (name, value)
  SELECT 'events.gone.' || substr(name, 17), value FROM job_state
  WHERE substr(name, 1, 16) = 'events.sequence.' AND substr(name, 17) NOT IN (SELECT tenant_id FROM events) AND value <> '0';

-- What is in no account of ours has no currency that we know: the amounts wait as the platform said them, {profit,
-- swap, commission}.
ALTER TABLE positions ALTER COLUMN currency DROP NOT NULL;
ALTER TABLE positions ADD COLUMN reported TEXT
  CHECK ((reported IS NOT NULL) = (currency IS NULL) AND (reported IS NULL OR json_valid(reported)));
UPDATE positions SET currency = NULL, profit = 0, swap = 0, commission = 0, reported = json_object(
    'profit', printf('%s%d.%02d', iif(profit < 0, '-', ''), abs(profit) / 100, abs(profit) % 100),
    'swap', printf('%s%d.%02d', iif(swap < 0, '-', ''), abs(swap) / 100, abs(swap) % 100),
    'commission', printf('%s%d.%02d', iif(commission < 0, '-', ''), abs(commission) / 100, abs(commission) % 100))
  WHERE account_id IS NULL;
CREATE INDEX positions_unlinked ON positions (tenant_id, platform, account_number, id) WHERE account_id IS NULL;

-- The last sequence of balances taken from each platform server, as position_streams for positions.
CREATE TABLE account_streams (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  platform TEXT NOT NULL,
  server TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, platform, server)
) STRICT, WITHOUT ROWID;

-- The books as a feed.
CREATE INDEX ledger_entries_posted ON ledger_entries (tenant_id, created_at, id);

-- Lists whose rows change, by when they changed.
CREATE INDEX users_updated ON users (tenant_id, updated_at, id);
CREATE INDEX traders_updated ON traders (tenant_id, updated_at, id);
CREATE INDEX api_keys_updated ON api_keys (tenant_id, updated_at, id);
CREATE INDEX accounts_updated ON accounts (tenant_id, updated_at, id);
CREATE INDEX wallets_updated ON wallets (tenant_id, updated_at, id);
CREATE INDEX psp_connections_updated ON psp_connections (tenant_id, updated_at, id);
CREATE INDEX psp_exceptions_updated ON psp_exceptions (tenant_id, updated_at, id);
CREATE INDEX deposits_updated ON deposits (tenant_id, updated_at, id);
CREATE INDEX webhook_subscriptions_updated ON webhook_subscriptions (tenant_id, updated_at, id);
CREATE INDEX withdrawals_updated ON withdrawals (tenant_id, updated_at, id);
CREATE INDEX adjustments_updated ON adjustments (tenant_id, updated_at, id);
CREATE INDEX kyc_submissions_updated ON kyc_submissions (tenant_id, updated_at, id);
CREATE INDEX sanctions_hits_updated ON sanctions_hits (tenant_id, updated_at, id);
CREATE INDEX leads_updated ON leads (tenant_id, updated_at, id);
CREATE INDEX tickets_updated ON tickets (tenant_id, updated_at, id);
CREATE INDEX positions_updated ON positions (tenant_id, updated_at, id);
