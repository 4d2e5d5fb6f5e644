-- Introducing brokers. What an affiliate earned by is looked up by time, so every change of it is a row of its terms.
CREATE TABLE commission_plans (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  created_by TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX commission_plans_name ON commission_plans (tenant_id, name COLLATE NOCASE);
CREATE INDEX commission_plans_created ON commission_plans (tenant_id, created_at DESC, id DESC);
CREATE INDEX commission_plans_updated ON commission_plans (tenant_id, updated_at, id);

CREATE TABLE commission_plan_versions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  plan_id TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  currency TEXT NOT NULL,
  rules TEXT NOT NULL CHECK (json_valid(rules)),
  override TEXT NOT NULL CHECK (override IN ('difference', 'split')),
  splits TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(splits)),
  max_levels INTEGER NOT NULL CHECK (max_levels BETWEEN 1 AND 10),
  cap TEXT NOT NULL,
  valid_from INTEGER NOT NULL,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES commission_plans (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX commission_plan_versions_number ON commission_plan_versions (tenant_id, plan_id, number);

CREATE TABLE affiliates (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  code TEXT NOT NULL,
  parent_id TEXT,
  plan_id TEXT,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'suspended', 'closed')),
  -- Who entered it, and who gave it its plan and when: none of them approves its payouts.
  created_by TEXT,
  plan_by TEXT,
  plan_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES commission_plans (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX affiliates_trader ON affiliates (tenant_id, trader_id) WHERE status <> 'closed';
CREATE INDEX affiliates_person ON affiliates (tenant_id, trader_id);
CREATE INDEX affiliates_parent ON affiliates (tenant_id, parent_id);
CREATE INDEX affiliates_plan ON affiliates (tenant_id, plan_id);
CREATE INDEX affiliates_status ON affiliates (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX affiliates_created ON affiliates (tenant_id, created_at DESC, id DESC);
CREATE INDEX affiliates_updated ON affiliates (tenant_id, updated_at, id);

-- Whose a code is, or was until it was given up: for 90 days nobody else gets it. The code in small letters.
CREATE TABLE affiliate_codes (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  code TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  freed_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX affiliate_codes_code ON affiliate_codes (tenant_id, code);
CREATE INDEX affiliate_codes_affiliate ON affiliate_codes (tenant_id, affiliate_id);
-- A click names no firm.
CREATE INDEX affiliate_codes_anywhere ON affiliate_codes (code) WHERE freed_at IS NULL;

CREATE TABLE affiliate_terms (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  parent_id TEXT,
  plan_id TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'active', 'suspended', 'closed')),
  valid_from INTEGER NOT NULL,
  set_by TEXT,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, parent_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, plan_id) REFERENCES commission_plans (tenant_id, id)
) STRICT;
CREATE INDEX affiliate_terms_affiliate ON affiliate_terms (tenant_id, affiliate_id, valid_from);
CREATE INDEX affiliate_terms_parent ON affiliate_terms (tenant_id, parent_id);
CREATE INDEX affiliate_terms_plan ON affiliate_terms (tenant_id, plan_id);

-- Everybody above an affiliate, and the affiliate at depth 0: what an introducing broker may see, in one look-up.
CREATE TABLE affiliate_ancestors (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  ancestor_id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  depth INTEGER NOT NULL CHECK (depth BETWEEN 0 AND 9),
  PRIMARY KEY (tenant_id, ancestor_id, affiliate_id),
  FOREIGN KEY (tenant_id, ancestor_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX affiliate_ancestors_affiliate ON affiliate_ancestors (tenant_id, affiliate_id, depth);

-- Who brought a client, from when on.
CREATE TABLE trader_affiliations (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  affiliate_id TEXT,
  via TEXT NOT NULL CHECK (via IN ('code', 'click', 'lead', 'staff')),
  valid_from INTEGER NOT NULL,
  set_by TEXT,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id)
) STRICT;
CREATE INDEX trader_affiliations_trader ON trader_affiliations (tenant_id, trader_id, valid_from);
CREATE INDEX trader_affiliations_affiliate ON trader_affiliations (tenant_id, affiliate_id);
CREATE INDEX traders_affiliate ON traders (tenant_id, affiliate_id, created_at DESC, id DESC) WHERE affiliate_id IS NOT NULL;
ALTER TABLE leads ADD COLUMN affiliate_id TEXT;
ALTER TABLE leads ADD COLUMN affiliate_via TEXT CHECK (affiliate_via IN ('code', 'click'));

CREATE TABLE affiliate_clicks (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  visitor_id TEXT NOT NULL,
  -- Of both at most 200 bytes; nothing that is no address of the web.
  url TEXT,
  referrer TEXT,
  utm TEXT CHECK (utm IS NULL OR json_valid(utm)),
  -- A keyed hash, for 30 days.
  address_hash TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id)
) STRICT;
CREATE INDEX affiliate_clicks_affiliate ON affiliate_clicks (tenant_id, affiliate_id, created_at);
CREATE INDEX affiliate_clicks_visitor ON affiliate_clicks (tenant_id, visitor_id, created_at);
CREATE INDEX affiliate_clicks_created ON affiliate_clicks (tenant_id, created_at);
CREATE INDEX affiliate_clicks_address ON affiliate_clicks (created_at) WHERE address_hash IS NOT NULL;

-- What platforms first reported of a position, and what its spread cost the client, in the account's currency.
ALTER TABLE positions ADD COLUMN opened_volume INTEGER NOT NULL DEFAULT 0;
UPDATE positions SET opened_volume = volume;
ALTER TABLE positions ADD COLUMN spread INTEGER;
CREATE INDEX positions_closed ON positions (tenant_id, closed_at, id) WHERE closed_at IS NOT NULL;

-- When a demo account was last made a live one: what was opened before earns nobody anything.
ALTER TABLE accounts ADD COLUMN live_since INTEGER;

CREATE TABLE commission_runs (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  -- Days of the firm's zone, the last one exclusive, and the same as instants.
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  from_at INTEGER NOT NULL,
  to_at INTEGER NOT NULL,
  dry_run INTEGER NOT NULL CHECK (dry_run IN (0, 1)),
  status TEXT NOT NULL DEFAULT 'computing' CHECK (status IN ('computing', 'closed', 'done', 'failed')),
  -- Where it goes on after a stop.
  phase TEXT NOT NULL DEFAULT 'trades',
  cursor TEXT NOT NULL DEFAULT '',
  -- What changed after this moment is for the next run.
  snapshot_at INTEGER NOT NULL,
  result TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(result)),
  last_error TEXT,
  -- How often in a row it failed. After too many it is given up, and its lines count for nothing.
  attempts INTEGER NOT NULL DEFAULT 0,
  asked_by TEXT,
  closed_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (from_at < to_at)
) STRICT;
CREATE INDEX commission_runs_created ON commission_runs (tenant_id, created_at DESC, id DESC);
CREATE INDEX commission_runs_updated ON commission_runs (tenant_id, updated_at, id);
CREATE INDEX commission_runs_computing ON commission_runs (tenant_id, created_at) WHERE status = 'computing';

CREATE TABLE commission_lines (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  -- The client behind it; nobody in particular for a month's share of revenue.
  trader_id TEXT,
  level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 10),
  model TEXT NOT NULL CHECK (model IN ('lot', 'spread', 'commission', 'cpa', 'revenue')),
  source_type TEXT NOT NULL CHECK (source_type IN ('trade', 'deposit', 'revenue', 'override', 'correction')),
  -- trade:<position>, cpa:<trader> or revenue:<affiliate>:<month>.
  source TEXT NOT NULL,
  -- A source that changed gets a contra line of its last revision and a line of the next.
  revision INTEGER NOT NULL DEFAULT 1,
  contra INTEGER NOT NULL DEFAULT 0 CHECK (contra IN (0, 1)),
  symbol TEXT,
  lots INTEGER NOT NULL DEFAULT 0,
  occurred_at INTEGER NOT NULL,
  plan_version_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, run_id) REFERENCES commission_runs (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, plan_version_id) REFERENCES commission_plan_versions (tenant_id, id)
) STRICT;
-- One line of a source for an affiliate, a level and a model, ever.
CREATE UNIQUE INDEX commission_lines_source ON commission_lines (tenant_id, source, affiliate_id, level, model, revision, contra);
CREATE INDEX commission_lines_affiliate ON commission_lines (tenant_id, affiliate_id, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_occurred ON commission_lines (tenant_id, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_run ON commission_lines (tenant_id, run_id);
CREATE INDEX commission_lines_trader ON commission_lines (tenant_id, trader_id);
CREATE INDEX commission_lines_plan ON commission_lines (tenant_id, plan_version_id);
CREATE TRIGGER commission_lines_fixed BEFORE UPDATE OF amount, currency, affiliate_id, source, revision, contra ON commission_lines
  BEGIN SELECT RAISE(ABORT, 'commission lines are append-only'); END;
CREATE TRIGGER commission_lines_kept BEFORE DELETE ON commission_lines BEGIN SELECT RAISE(ABORT, 'commission lines are append-only'); END;

-- Caches of what is earned in closed runs, asked for and paid, by currency.
CREATE TABLE affiliate_balances (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  earned INTEGER NOT NULL DEFAULT 0 CHECK (earned BETWEEN -9007199254740991 AND 9007199254740991),
  asked INTEGER NOT NULL DEFAULT 0 CHECK (asked BETWEEN 0 AND 9007199254740991),
  paid INTEGER NOT NULL DEFAULT 0 CHECK (paid BETWEEN 0 AND 9007199254740991),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX affiliate_balances_currency ON affiliate_balances (tenant_id, affiliate_id, currency);

CREATE TABLE affiliate_payouts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  affiliate_id TEXT NOT NULL,
  -- The client who the affiliate is: whose wallet it goes to.
  trader_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  status TEXT NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'approved', 'rejected')),
  -- Nobody of the staff where the affiliate asked.
  requested_by TEXT,
  decided_by TEXT,
  decided_at INTEGER,
  reason TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, affiliate_id) REFERENCES affiliates (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX affiliate_payouts_open ON affiliate_payouts (tenant_id, affiliate_id) WHERE status = 'requested';
CREATE INDEX affiliate_payouts_affiliate ON affiliate_payouts (tenant_id, affiliate_id, created_at DESC, id DESC);
CREATE INDEX affiliate_payouts_trader ON affiliate_payouts (tenant_id, trader_id);
CREATE INDEX affiliate_payouts_status ON affiliate_payouts (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX affiliate_payouts_created ON affiliate_payouts (tenant_id, created_at DESC, id DESC);
CREATE INDEX affiliate_payouts_updated ON affiliate_payouts (tenant_id, updated_at, id);
