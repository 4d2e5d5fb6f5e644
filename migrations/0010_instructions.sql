-- What Brokerbase asked of terminals. A mark on disk (`sending`) comes before the first byte leaves; `balance` and
-- `open` are sent at most once, ever.
CREATE TABLE terminal_instructions (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('balance', 'open', 'leverage', 'group', 'trading', 'sign_in', 'password')),
  state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sending', 'done', 'refused', 'unclear', 'unresolved',
    'cancelled')),
  trader_id TEXT NOT NULL,
  -- An account that is opened exists here when the terminal has it.
  account_id TEXT CHECK (account_id IS NOT NULL OR kind = 'open'),
  transfer_id TEXT CHECK ((transfer_id IS NOT NULL) = (kind = 'balance')),
  login TEXT CHECK (login IS NOT NULL OR kind = 'open'),
  -- Ours: it becomes the comment of the deal, or of the login that is opened.
  reference TEXT NOT NULL,
  currency TEXT NOT NULL,
  -- Positive into the account, negative out of it.
  amount INTEGER CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
  -- What is set or opened; it never has a password.
  value TEXT NOT NULL CHECK (json_valid(value)),
  main_password BLOB,
  investor_password BLOB,
  -- The client reads the passwords by a link, once; then they are forgotten.
  link_hash TEXT,
  link_until INTEGER,
  asked_by TEXT,
  sent_at INTEGER,
  next_at INTEGER NOT NULL,
  looks INTEGER NOT NULL DEFAULT 0,
  tries TEXT NOT NULL CHECK (json_valid(tries)),
  answer TEXT,
  -- The deal, or the login that was opened, as the terminal numbers it.
  number TEXT,
  decided_by TEXT,
  ended_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK ((amount IS NOT NULL) = (kind = 'balance')),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id),
  FOREIGN KEY (tenant_id, transfer_id) REFERENCES transfers (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_instructions_reference ON terminal_instructions (tenant_id, reference);
CREATE INDEX terminal_instructions_connection ON terminal_instructions (tenant_id, connection_id, state, created_at, id);
CREATE INDEX terminal_instructions_account ON terminal_instructions (tenant_id, account_id, created_at, id);
CREATE INDEX terminal_instructions_trader ON terminal_instructions (tenant_id, trader_id, created_at, id);
CREATE INDEX terminal_instructions_transfer ON terminal_instructions (tenant_id, transfer_id);
CREATE INDEX terminal_instructions_state ON terminal_instructions (tenant_id, state, created_at, id);
CREATE INDEX terminal_instructions_created ON terminal_instructions (tenant_id, created_at, id);
CREATE INDEX terminal_instructions_updated ON terminal_instructions (tenant_id, updated_at, id);
CREATE INDEX terminal_instructions_booked ON terminal_instructions (tenant_id, connection_id, ended_at)
  WHERE kind = 'balance' AND state = 'done';
CREATE UNIQUE INDEX terminal_instructions_link ON terminal_instructions (link_hash) WHERE link_hash IS NOT NULL;

-- What lay on each terminal at the end of each day of the firm, by currency, and what explains it. A later correction is
-- a new revision; the one in force has no `replaced_at`.
CREATE TABLE terminal_days (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  day TEXT NOT NULL,
  currency TEXT NOT NULL,
  revision INTEGER NOT NULL CHECK (revision > 0),
  accounts INTEGER NOT NULL,
  balance INTEGER NOT NULL CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  -- The part of that of accounts below zero.
  negative INTEGER NOT NULL CHECK (negative BETWEEN -9007199254740991 AND 0),
  credit INTEGER NOT NULL CHECK (credit BETWEEN -9007199254740991 AND 9007199254740991),
  equity INTEGER NOT NULL CHECK (equity BETWEEN -9007199254740991 AND 9007199254740991),
  equity_at INTEGER,
  -- What is owed to clients there: the positive parts of equity less credit.
  owed INTEGER NOT NULL CHECK (owed BETWEEN 0 AND 9007199254740991),
  transfers_in INTEGER NOT NULL CHECK (transfers_in BETWEEN -9007199254740991 AND 9007199254740991),
  transfers_out INTEGER NOT NULL CHECK (transfers_out BETWEEN -9007199254740991 AND 9007199254740991),
  trading INTEGER NOT NULL CHECK (trading BETWEEN -9007199254740991 AND 9007199254740991),
  owned INTEGER NOT NULL CHECK (owned BETWEEN -9007199254740991 AND 9007199254740991),
  unknown INTEGER NOT NULL CHECK (unknown BETWEEN -9007199254740991 AND 9007199254740991),
  unexplained INTEGER NOT NULL CHECK (unexplained BETWEEN -9007199254740991 AND 9007199254740991),
  in_flight INTEGER NOT NULL CHECK (in_flight BETWEEN -9007199254740991 AND 9007199254740991),
  state TEXT NOT NULL CHECK (state IN ('clean', 'owned', 'open')),
  replaced_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_days_revision ON terminal_days (tenant_id, connection_id, day, currency, revision);
CREATE UNIQUE INDEX terminal_days_last ON terminal_days (tenant_id, connection_id, day, currency)
  WHERE replaced_at IS NULL;
CREATE INDEX terminal_days_created ON terminal_days (tenant_id, created_at, id);
CREATE INDEX terminal_days_updated ON terminal_days (tenant_id, updated_at, id);

-- Which transfer of ours a deal is.
ALTER TABLE terminal_deals ADD COLUMN transfer_id TEXT;
CREATE INDEX terminal_deals_transfer ON terminal_deals (tenant_id, transfer_id) WHERE transfer_id IS NOT NULL;

-- What a login had when the day before ended: as it was reported last before that midnight of the firm.
ALTER TABLE terminal_logins ADD COLUMN ended_day TEXT;
ALTER TABLE terminal_logins ADD COLUMN ended_balance INTEGER
  CHECK (ended_balance BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE terminal_logins ADD COLUMN ended_credit INTEGER
  CHECK (ended_credit BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE terminal_logins ADD COLUMN ended_equity INTEGER
  CHECK (ended_equity BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE terminal_logins ADD COLUMN ended_at INTEGER;

-- Since when the balance of a login is the same beside its deals.
ALTER TABLE terminal_logins ADD COLUMN base_since INTEGER NOT NULL DEFAULT 0;

-- Until when the deals of a login were read by a first load, or after an outage.
ALTER TABLE terminal_logins ADD COLUMN loaded_until INTEGER NOT NULL DEFAULT 0;

-- When the deals of the last weeks were read again of a login; those not looked at for longest are read first.
ALTER TABLE terminal_logins ADD COLUMN deep_read_at INTEGER NOT NULL DEFAULT 0;
CREATE INDEX terminal_logins_deep_read ON terminal_logins (tenant_id, connection_id, deep_read_at, login)
  WHERE state = 'there';

-- After a copy was put back no money moves before an owner says so.
ALTER TABLE terminal_connections ADD COLUMN money_held_at INTEGER;

-- Prices move all the time, and each index in the order of results wrote two pages of log for each. What is open is
-- sorted when it is asked for, from an index in which a changed result stays at its place.
DROP INDEX positions_result;
DROP INDEX positions_status_result;
DROP INDEX positions_trader_open;
CREATE INDEX positions_closed_result ON positions (tenant_id, currency, profit, id) WHERE status = 'closed';
CREATE INDEX positions_trader_open ON positions (tenant_id, trader_id, currency, id, profit) WHERE status = 'open';

-- The open positions of a server, which each reading looks through.
CREATE INDEX positions_open_place ON positions (tenant_id, platform, server, id) WHERE status = 'open';

-- The few deals by which a terminal gives a position another number, and under which number a turned one goes on.
CREATE INDEX terminal_deals_technical ON terminal_deals (tenant_id, connection_id, login) WHERE technical = 1;
CREATE INDEX terminal_deals_turned ON terminal_deals (tenant_id, order_number) WHERE entry = 'turn';
-- How many transfers nobody knows of.
CREATE INDEX terminal_findings_unresolved ON terminal_findings (tenant_id)
  WHERE state = 'open' AND kind = 'transfer_unresolved';
