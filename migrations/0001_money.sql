-- Money out: exchange rates, withdrawals with their decisions, transfers, adjustments.

-- Old rates are kept: a conversion names the rate it used. One current rate for each pair.
CREATE TABLE fx_rates (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1)),
  created_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id),
  CHECK (base <> quote)
) STRICT;
CREATE UNIQUE INDEX fx_rates_current ON fx_rates (tenant_id, base, quote) WHERE current = 1;
CREATE INDEX fx_rates_author ON fx_rates (tenant_id, created_by);

-- The pool that feeds every tenant; it belongs to none.
CREATE TABLE fx_global_rates (
  id TEXT PRIMARY KEY,
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1)),
  created_at INTEGER NOT NULL,
  CHECK (base <> quote)
) STRICT;
CREATE UNIQUE INDEX fx_global_rates_current ON fx_global_rates (base, quote) WHERE current = 1;

-- Where a trader's money may go. The fingerprint tells that two traders name the same place.
CREATE TABLE payout_destinations (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('bank', 'card', 'wallet', 'crypto')),
  holder TEXT,
  reference TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX payout_destinations_once ON payout_destinations (tenant_id, trader_id, fingerprint);
CREATE INDEX payout_destinations_shared ON payout_destinations (tenant_id, fingerprint);
CREATE INDEX payout_destinations_author ON payout_destinations (tenant_id, created_by);

CREATE TABLE withdrawals (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  wallet_id TEXT NOT NULL,
  destination_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  status TEXT NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'approved', 'paid', 'rejected', 'cancelled')),
  note TEXT,
  requested_by TEXT,
  rejection_detail TEXT,
  rejection_note TEXT,
  payment_reference TEXT,
  approved_at INTEGER,
  paid_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, destination_id) REFERENCES payout_destinations (tenant_id, id),
  FOREIGN KEY (tenant_id, requested_by) REFERENCES users (tenant_id, id),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
) STRICT;
CREATE INDEX withdrawals_created ON withdrawals (tenant_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_status ON withdrawals (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX withdrawals_currency ON withdrawals (tenant_id, currency, created_at DESC, id DESC);
CREATE INDEX withdrawals_status_currency ON withdrawals (tenant_id, status, currency, created_at DESC, id DESC);
CREATE INDEX withdrawals_trader ON withdrawals (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX withdrawals_wallet ON withdrawals (tenant_id, wallet_id);
CREATE INDEX withdrawals_destination ON withdrawals (tenant_id, destination_id);
CREATE INDEX withdrawals_requester ON withdrawals (tenant_id, requested_by);
CREATE UNIQUE INDEX withdrawals_payment ON withdrawals (tenant_id, payment_reference) WHERE payment_reference IS NOT NULL;

-- Who decided. A decision that lapsed is void; nobody has two that count.
CREATE TABLE withdrawal_decisions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  withdrawal_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  role TEXT NOT NULL,
  decision TEXT NOT NULL CHECK (decision IN ('approve', 'reject')),
  note TEXT,
  void INTEGER NOT NULL DEFAULT 0 CHECK (void IN (0, 1)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, withdrawal_id) REFERENCES withdrawals (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX withdrawal_decisions_once ON withdrawal_decisions (tenant_id, withdrawal_id, user_id) WHERE void = 0;
CREATE INDEX withdrawal_decisions_user ON withdrawal_decisions (tenant_id, user_id);
CREATE INDEX withdrawal_decisions_withdrawal ON withdrawal_decisions (tenant_id, withdrawal_id);

CREATE TABLE transfers (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('wallet_to_wallet', 'wallet_to_account', 'account_to_wallet')),
  from_wallet_id TEXT,
  to_wallet_id TEXT,
  account_id TEXT,
  from_currency TEXT NOT NULL,
  from_amount INTEGER NOT NULL CHECK (from_amount BETWEEN 1 AND 9007199254740991),
  to_currency TEXT NOT NULL,
  to_amount INTEGER NOT NULL CHECK (to_amount BETWEEN 1 AND 9007199254740991),
  rate TEXT,
  rate_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(rate_ids)),
  rate_source TEXT,
  rate_as_of INTEGER,
  reference TEXT NOT NULL,
  note TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, from_wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, to_wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id)
) STRICT;
CREATE INDEX transfers_created ON transfers (tenant_id, created_at DESC, id DESC);
CREATE INDEX transfers_trader ON transfers (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX transfers_from ON transfers (tenant_id, from_wallet_id);
CREATE INDEX transfers_to ON transfers (tenant_id, to_wallet_id);
CREATE INDEX transfers_account ON transfers (tenant_id, account_id);

CREATE TABLE adjustments (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  wallet_id TEXT NOT NULL,
  direction TEXT NOT NULL CHECK (direction IN ('credit', 'debit')),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  reason TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'approved', 'rejected')),
  requested_by TEXT NOT NULL,
  decided_by TEXT,
  decision_note TEXT,
  decided_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, requested_by) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, decided_by) REFERENCES users (tenant_id, id),
  CHECK (decided_by IS NULL OR decided_by <> requested_by)
) STRICT;
CREATE INDEX adjustments_created ON adjustments (tenant_id, created_at DESC, id DESC);
CREATE INDEX adjustments_status ON adjustments (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX adjustments_trader ON adjustments (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX adjustments_wallet ON adjustments (tenant_id, wallet_id);
CREATE INDEX adjustments_requester ON adjustments (tenant_id, requested_by);
CREATE INDEX adjustments_decider ON adjustments (tenant_id, decided_by);
