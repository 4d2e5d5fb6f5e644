-- What clients had before the firm came here is in the books. The list of accounts is a CHECK, so the table is made anew
-- with the same rows; its triggers are of the new table from the start.
CREATE TABLE ledger_entries_with_openings (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  trader_id TEXT,
  wallet_id TEXT,
  account TEXT NOT NULL CHECK (account IN (
    'gateway_clearing', 'payout_clearing', 'platform_clearing', 'fx_clearing', 'adjustments', 'affiliate_commissions',
    'opening_balances', 'client_available', 'client_held')),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991 AND amount <> 0),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, transaction_id) REFERENCES ledger_transactions (tenant_id, id),
  FOREIGN KEY (tenant_id, wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((wallet_id IS NOT NULL) = (account IN ('client_available', 'client_held')))
) STRICT;
INSERT INTO ledger_entries_with_openings (tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at)
  SELECT tenant_id, id, transaction_id, trader_id, wallet_id, account, currency, amount, created_at FROM ledger_entries
  ORDER BY rowid;
DROP TABLE ledger_entries;
ALTER TABLE ledger_entries_with_openings RENAME TO ledger_entries;
CREATE INDEX ledger_entries_transaction ON ledger_entries (tenant_id, transaction_id);
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC, amount);
CREATE INDEX ledger_entries_trader ON ledger_entries (tenant_id, trader_id);
CREATE INDEX ledger_entries_posted ON ledger_entries (tenant_id, created_at, id);
CREATE INDEX ledger_entries_account ON ledger_entries (tenant_id, account, created_at, id);
CREATE TRIGGER ledger_entries_fixed BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE imports (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  file_name TEXT,
  platform TEXT,
  status TEXT NOT NULL DEFAULT 'receiving' CHECK (status IN (
    'receiving', 'checking', 'checked', 'loading', 'loaded', 'posting', 'done', 'undoing', 'undone', 'failed')),
  dry_run INTEGER NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1)),
  skip_errors INTEGER NOT NULL DEFAULT 0 CHECK (skip_errors IN (0, 1)),
  columns TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(columns)),
  mapping TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(mapping)),
  control_totals TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(control_totals)),
  tallies TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(tallies)),
  lines INTEGER NOT NULL DEFAULT 0,
  -- the line up to which the present work has come; written in one transaction with what was done of it
  cursor INTEGER NOT NULL DEFAULT 0,
  refused INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  known INTEGER NOT NULL DEFAULT 0,
  accounts INTEGER NOT NULL DEFAULT 0,
  undone INTEGER NOT NULL DEFAULT 0,
  "left" INTEGER NOT NULL DEFAULT 0,
  failure TEXT,
  created_by TEXT,
  confirmed_by TEXT,
  confirmed_at INTEGER,
  note TEXT,
  undone_by TEXT,
  finished_at INTEGER,
  -- 1: the texts of lines that made nothing are gone; 2: so are the lines and their mistakes
  forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1, 2)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, confirmed_by) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, undone_by) REFERENCES users (tenant_id, id)
) STRICT;
-- One file at a time: two would not see each other's addresses.
CREATE UNIQUE INDEX imports_open ON imports (tenant_id)
  WHERE status IN ('receiving', 'checking', 'loading', 'loaded', 'posting', 'undoing');
CREATE INDEX imports_created ON imports (tenant_id, created_at DESC, id DESC);
CREATE INDEX imports_updated ON imports (tenant_id, updated_at, id);
CREATE INDEX imports_status ON imports (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX imports_created_by ON imports (tenant_id, created_by);
CREATE INDEX imports_confirmed_by ON imports (tenant_id, confirmed_by);
CREATE INDEX imports_undone_by ON imports (tenant_id, undone_by);

CREATE TABLE import_lines (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  line INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'ready', 'refused', 'known', 'done', 'undone', 'left')),
  cells TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(cells)),
  external_id TEXT NOT NULL DEFAULT '',
  email_key TEXT,
  account_key TEXT,
  currency TEXT,
  balance INTEGER CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  trader_id TEXT,
  account_id TEXT,
  is_maker INTEGER NOT NULL DEFAULT 0 CHECK (is_maker IN (0, 1)),
  posted TEXT NOT NULL DEFAULT 'no' CHECK (posted IN ('no', 'earlier', 'here')),
  errors TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(errors)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, import_id) REFERENCES imports (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX import_lines_line ON import_lines (tenant_id, import_id, line);
CREATE INDEX import_lines_status ON import_lines (tenant_id, import_id, status, line);
CREATE INDEX import_lines_client ON import_lines (tenant_id, external_id, import_id, line);
CREATE INDEX import_lines_email ON import_lines (tenant_id, import_id, email_key) WHERE email_key IS NOT NULL;
CREATE INDEX import_lines_account ON import_lines (tenant_id, import_id, account_key) WHERE account_key IS NOT NULL;
CREATE INDEX import_lines_trader ON import_lines (tenant_id, trader_id);
CREATE INDEX import_lines_account_id ON import_lines (tenant_id, account_id);
CREATE INDEX import_lines_wrong ON import_lines (tenant_id, import_id, line) WHERE errors <> '[]';
