-- Trading servers that Brokerbase speaks to itself. What is guarded stands in `pending` until a second person confirms
-- it, with its password beside it.
CREATE TABLE terminal_connections (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  name TEXT NOT NULL CHECK (length(name) <= 100),
  driver TEXT NOT NULL CHECK (driver IN ('terminal5', 'simulator')),
  platform TEXT NOT NULL,
  server TEXT NOT NULL CHECK (length(server) BETWEEN 1 AND 100),
  address TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('public', 'authority', 'pinned')),
  certificate TEXT CHECK ((trust = 'public') = (certificate IS NULL)),
  login TEXT NOT NULL,
  password BLOB NOT NULL,
  groups TEXT NOT NULL CHECK (json_valid(groups)),
  since INTEGER NOT NULL,
  money INTEGER NOT NULL DEFAULT 0 CHECK (money IN (0, 1)),
  read_every TEXT NOT NULL CHECK (json_valid(read_every)),
  requests_per_second INTEGER NOT NULL CHECK (requests_per_second BETWEEN 1 AND 50),
  paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
  -- Who entered the guarded settings in force, and when the last of them was entered.
  entered_by TEXT NOT NULL CHECK (json_valid(entered_by)),
  entered_at INTEGER NOT NULL,
  confirmed_by TEXT,
  confirmed_at INTEGER,
  -- It counts what was entered, so that only what a person has seen is confirmed.
  entry INTEGER NOT NULL DEFAULT 1 CHECK (entry > 0),
  pending TEXT CHECK (json_valid(pending)),
  pending_password BLOB,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_connections_server ON terminal_connections (tenant_id, platform, server)
  WHERE deleted_at IS NULL;
CREATE INDEX terminal_connections_created ON terminal_connections (tenant_id, created_at, id);
CREATE INDEX terminal_connections_updated ON terminal_connections (tenant_id, updated_at, id);

-- How a connection fares. It has the id of its connection.
CREATE TABLE terminal_health (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'connecting' CHECK (state IN ('connecting', 'connected', 'waiting', 'stopped')),
  state_since INTEGER NOT NULL,
  last_read_at INTEGER,
  last_deal_at INTEGER,
  -- Up to here deals were read whole.
  deals_until INTEGER,
  next_try_at INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  error_code TEXT,
  error_detail TEXT CHECK (json_valid(error_detail)),
  error_at INTEGER,
  -- When the owners were told of the outage that lasts.
  mailed_at INTEGER,
  build TEXT,
  tested_at INTEGER,
  test TEXT CHECK (json_valid(test)),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;

-- Since when the clock of a server was how many minutes ahead of UTC.
CREATE TABLE terminal_clocks (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  since INTEGER NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes BETWEEN -720 AND 840),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;
CREATE INDEX terminal_clocks_connection ON terminal_clocks (tenant_id, connection_id, since);

-- The logins that a terminal has in the groups that are read, as it said last. Absent is not zero: a login that it does
-- not list any more keeps its last balance and says since when.
CREATE TABLE terminal_logins (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  login TEXT NOT NULL,
  group_name TEXT NOT NULL,
  account_type TEXT NOT NULL CHECK (account_type IN ('live', 'demo')),
  currency TEXT NOT NULL,
  leverage INTEGER NOT NULL CHECK (leverage >= 0),
  may_trade INTEGER NOT NULL CHECK (may_trade IN (0, 1)),
  may_sign_in INTEGER NOT NULL CHECK (may_sign_in IN (0, 1)),
  registered_at INTEGER NOT NULL,
  balance INTEGER NOT NULL CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  credit INTEGER NOT NULL CHECK (credit BETWEEN -9007199254740991 AND 9007199254740991),
  equity INTEGER CHECK (equity BETWEEN -9007199254740991 AND 9007199254740991),
  margin_free INTEGER CHECK (margin_free BETWEEN -9007199254740991 AND 9007199254740991),
  state TEXT NOT NULL DEFAULT 'there' CHECK (state IN ('there', 'archived', 'gone', 'reused')),
  state_since INTEGER NOT NULL,
  read_at INTEGER NOT NULL,
  -- What its deals since the connection's `since` changed of its balance, and what the balance is beside that.
  explained INTEGER NOT NULL DEFAULT 0 CHECK (explained BETWEEN -9007199254740991 AND 9007199254740991),
  base INTEGER NOT NULL DEFAULT 0 CHECK (base BETWEEN -9007199254740991 AND 9007199254740991),
  -- Whether that was the same in two readings; the first one may have fallen between a deal and its reading.
  proven INTEGER NOT NULL DEFAULT 0 CHECK (proven IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_logins_login ON terminal_logins (tenant_id, connection_id, login);
CREATE INDEX terminal_logins_updated ON terminal_logins (tenant_id, updated_at, id);
CREATE INDEX terminal_logins_created ON terminal_logins (tenant_id, created_at, id);

-- Deals as they were read. They are never deleted; what a deal said before it was changed stands in its revisions.
CREATE TABLE terminal_deals (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  number TEXT NOT NULL,
  login TEXT NOT NULL,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('trade', 'balance', 'credit', 'charge', 'correction', 'bonus', 'cost', 'agent',
    'compensation', 'credit_compensation')),
  action INTEGER NOT NULL,
  entry TEXT CHECK (entry IN ('in', 'out', 'turn', 'by')),
  position TEXT,
  order_number TEXT,
  symbol TEXT,
  side TEXT CHECK (side IN ('long', 'short')),
  lots TEXT NOT NULL,
  lots_closed TEXT,
  price TEXT,
  currency TEXT NOT NULL,
  profit TEXT NOT NULL,
  swap TEXT NOT NULL,
  commission TEXT NOT NULL,
  fee TEXT NOT NULL,
  spread TEXT,
  technical INTEGER NOT NULL CHECK (technical IN (0, 1)),
  reason TEXT NOT NULL,
  comment TEXT NOT NULL,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  state TEXT NOT NULL CHECK (state IN ('live', 'cancelled', 'gone')),
  -- In how many whole readings of its time it was missing.
  missing INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_deals_number ON terminal_deals (tenant_id, connection_id, number);
CREATE INDEX terminal_deals_at ON terminal_deals (tenant_id, at, id);
CREATE INDEX terminal_deals_updated ON terminal_deals (tenant_id, updated_at, id);
CREATE INDEX terminal_deals_login ON terminal_deals (tenant_id, connection_id, login, at);
CREATE INDEX terminal_deals_position ON terminal_deals (tenant_id, connection_id, position) WHERE position IS NOT NULL;

-- What a deal said before; `content` has what changed.
CREATE TABLE terminal_deal_revisions (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  deal_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, deal_id) REFERENCES terminal_deals (tenant_id, id)
) STRICT;
CREATE INDEX terminal_deal_revisions_deal ON terminal_deal_revisions (tenant_id, deal_id, revision);

-- What does not fit between a terminal and our books. One that healed closes itself.
CREATE TABLE terminal_findings (
  tenant_id TEXT NOT NULL,
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('movement_unknown', 'transfer_missing', 'transfer_unresolved', 'transfer_twice',
    'transfer_differs', 'reference_unknown', 'booked_after_refusal', 'balance_differs', 'login_gone', 'login_archived',
    'login_reused', 'currency_differs', 'position_impossible', 'position_vanished', 'deal_changed', 'agent_commission',
    'clock', 'mass_vanish')),
  -- What it is about: a login, the number of a deal or position, a transfer; empty for the connection itself.
  subject TEXT NOT NULL,
  login TEXT,
  currency TEXT,
  amount INTEGER CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991),
  detail TEXT NOT NULL CHECK (json_valid(detail)),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  healed INTEGER NOT NULL DEFAULT 0 CHECK (healed IN (0, 1)),
  closed_by TEXT,
  closed_at INTEGER,
  reason TEXT CHECK (length(reason) <= 500),
  transfer_id TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES terminal_connections (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX terminal_findings_open ON terminal_findings (tenant_id, connection_id, kind, subject)
  WHERE state = 'open';
CREATE INDEX terminal_findings_created ON terminal_findings (tenant_id, created_at, id);
CREATE INDEX terminal_findings_updated ON terminal_findings (tenant_id, updated_at, id);
CREATE INDEX terminal_findings_state ON terminal_findings (tenant_id, state, created_at, id);
