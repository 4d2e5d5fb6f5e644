-- What a currency was worth on days that had no rate: for reports and commissions only. It counts from the begin of a
-- day on, until a rate of the pair held. Nothing is converted or compared by it.
CREATE TABLE fx_past_rates (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  -- The day of the firm's zone, and the instant at which it began.
  since TEXT NOT NULL,
  since_at INTEGER NOT NULL,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  -- Who removes one stays known: it may have been counted by.
  removed_by TEXT,
  removed_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  CHECK (since_at < created_at)
) STRICT;
CREATE UNIQUE INDEX fx_past_rates_once ON fx_past_rates (tenant_id, base, quote, since_at) WHERE removed_at IS NULL;
CREATE INDEX fx_past_rates_since ON fx_past_rates (tenant_id, since_at DESC, id DESC);

-- The months that a run computed, each with the affiliates whose month lacked a rate.
ALTER TABLE commission_runs ADD COLUMN months TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(months));

-- When an account was last given to another client. What was traded before qualifies nobody's acquisition.
ALTER TABLE accounts ADD COLUMN given_at INTEGER;
