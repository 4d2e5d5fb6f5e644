-- Foundation: tenants, people, money in, audit, events and webhooks.
-- Every tenant table has PRIMARY KEY (tenant_id, id) and refers to others by (tenant_id, x_id),
-- so SQLite itself refuses a row that points into another tenant.
-- Times are integer milliseconds UTC; money is integer minor units within ±(2^53−1).

CREATE TABLE tenants (
  id TEXT PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  domain TEXT UNIQUE,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  branding TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(branding)),
  feature_flags TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(feature_flags)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- What a firm has set for itself beside its branding: one JSON value a key (the id), each with its own schema in code.
CREATE TABLE tenant_settings (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  value TEXT NOT NULL CHECK (json_valid(value)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;

CREATE TABLE users (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  email TEXT NOT NULL,
  display_name TEXT NOT NULL,
  roles TEXT NOT NULL CHECK (json_valid(roles)),
  status TEXT NOT NULL CHECK (status IN ('invited', 'active', 'disabled')),
  last_login_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX users_email ON users (tenant_id, email) WHERE deleted_at IS NULL;
CREATE INDEX users_by_email ON users (email) WHERE deleted_at IS NULL;
CREATE INDEX users_created ON users (tenant_id, created_at DESC, id DESC);

CREATE TABLE traders (
  rid INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  first_name TEXT,
  last_name TEXT,
  country TEXT,
  language TEXT,
  date_of_birth TEXT,
  address TEXT CHECK (address IS NULL OR json_valid(address)),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
  kyc_level INTEGER NOT NULL DEFAULT 0 CHECK (kyc_level BETWEEN 0 AND 3),
  kyc_status TEXT NOT NULL DEFAULT 'none' CHECK (kyc_status IN ('none', 'requested', 'approved', 'rejected')),
  risk_level TEXT NOT NULL DEFAULT 'low' CHECK (risk_level IN ('low', 'medium', 'high')),
  segments TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(segments)),
  tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
  assigned_to TEXT,
  affiliate_id TEXT,
  lead_id TEXT,
  source TEXT,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  legal_hold INTEGER NOT NULL DEFAULT 0 CHECK (legal_hold IN (0, 1)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  erased_at INTEGER,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, assigned_to) REFERENCES users (tenant_id, id)
) STRICT;
-- A soft-deleted trader keeps the address (it can be restored); an erased stub has none.
CREATE UNIQUE INDEX traders_email ON traders (tenant_id, email) WHERE email IS NOT NULL;
CREATE INDEX traders_by_email ON traders (email) WHERE email IS NOT NULL;
CREATE INDEX traders_live ON traders (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_status ON traders (tenant_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_kyc ON traders (tenant_id, kyc_status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_country ON traders (tenant_id, country, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_assigned ON traders (tenant_id, assigned_to, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_deleted ON traders (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

-- Segments and tags as rows, so that a rare tag among 100,000 traders is found by index.
CREATE TABLE trader_labels (
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('segment', 'tag')),
  value TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind, value, trader_id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX trader_labels_trader ON trader_labels (tenant_id, trader_id);
CREATE TRIGGER traders_labels_insert AFTER INSERT ON traders WHEN NEW.segments <> '[]' OR NEW.tags <> '[]' BEGIN
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'segment', value, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.id FROM json_each(NEW.tags);
END;
CREATE TRIGGER traders_labels_update AFTER UPDATE OF segments, tags ON traders
WHEN NEW.segments <> OLD.segments OR NEW.tags <> OLD.tags BEGIN
  DELETE FROM trader_labels WHERE tenant_id = NEW.tenant_id AND trader_id = NEW.id;
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'segment', value, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.id FROM json_each(NEW.tags);
END;

CREATE TABLE trader_notes (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  author_id TEXT,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, author_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX trader_notes_trader ON trader_notes (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX trader_notes_author ON trader_notes (tenant_id, author_id);

-- What a person signs in with: kept apart from the person, so that no query of a person can carry a secret.
CREATE TABLE credentials (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT,
  trader_id TEXT,
  password_hash TEXT,
  totp_secret BLOB,
  totp_enabled INTEGER NOT NULL DEFAULT 0 CHECK (totp_enabled IN (0, 1)),
  totp_last_step INTEGER NOT NULL DEFAULT 0,
  recovery_codes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(recovery_codes)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((user_id IS NULL) <> (trader_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX credentials_user ON credentials (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE UNIQUE INDEX credentials_trader ON credentials (tenant_id, trader_id) WHERE trader_id IS NOT NULL;

CREATE TABLE sessions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  user_id TEXT,
  trader_id TEXT,
  impersonator_id TEXT,
  ip TEXT NOT NULL,
  user_agent TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, impersonator_id) REFERENCES users (tenant_id, id),
  CHECK ((user_id IS NULL) <> (trader_id IS NULL))
) STRICT;
CREATE INDEX sessions_user ON sessions (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_trader ON sessions (tenant_id, trader_id) WHERE trader_id IS NOT NULL;
CREATE INDEX sessions_impersonator ON sessions (tenant_id, impersonator_id) WHERE impersonator_id IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE one_time_links (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('invite', 'reset')),
  token_hash TEXT NOT NULL UNIQUE,
  user_id TEXT,
  trader_id TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((user_id IS NULL) <> (trader_id IS NULL))
) STRICT;
CREATE INDEX one_time_links_user ON one_time_links (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX one_time_links_trader ON one_time_links (tenant_id, trader_id) WHERE trader_id IS NOT NULL;
CREATE INDEX one_time_links_expiry ON one_time_links (expires_at);

CREATE TABLE api_keys (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  public_id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  label TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  scopes TEXT NOT NULL CHECK (json_valid(scopes)),
  allowed_networks TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(allowed_networks)),
  expires_at INTEGER,
  last_used_at INTEGER,
  revoked_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX api_keys_user ON api_keys (tenant_id, user_id);
CREATE INDEX api_keys_created ON api_keys (tenant_id, created_at DESC, id DESC);

CREATE TABLE files (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL UNIQUE,
  trader_id TEXT,
  purpose TEXT NOT NULL CHECK (purpose IN ('logo', 'kyc')),
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL CHECK (size > 0),
  sha256 TEXT,
  status TEXT NOT NULL CHECK (status IN ('awaiting', 'uploaded', 'attached')),
  public INTEGER NOT NULL DEFAULT 0 CHECK (public IN (0, 1)),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE INDEX files_trader ON files (tenant_id, trader_id) WHERE trader_id IS NOT NULL;
CREATE INDEX files_expiry ON files (expires_at) WHERE status <> 'attached';

CREATE TABLE accounts (
  rid INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  external_id TEXT,
  account_number TEXT,
  currency TEXT NOT NULL,
  balance INTEGER NOT NULL DEFAULT 0 CHECK (balance BETWEEN -9007199254740991 AND 9007199254740991),
  equity INTEGER NOT NULL DEFAULT 0 CHECK (equity BETWEEN -9007199254740991 AND 9007199254740991),
  leverage INTEGER NOT NULL DEFAULT 100 CHECK (leverage BETWEEN 1 AND 10000),
  is_demo INTEGER NOT NULL DEFAULT 0 CHECK (is_demo IN (0, 1)),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'closed')),
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX accounts_external ON accounts (tenant_id, platform, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX accounts_number ON accounts (tenant_id, platform, account_number) WHERE account_number IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX accounts_created ON accounts (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_status ON accounts (tenant_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_trader ON accounts (tenant_id, trader_id, created_at DESC, id DESC);

CREATE TABLE wallets (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  currency TEXT NOT NULL,
  available INTEGER NOT NULL DEFAULT 0 CHECK (available BETWEEN 0 AND 9007199254740991),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held BETWEEN 0 AND 9007199254740991),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX wallets_trader_currency ON wallets (tenant_id, trader_id, currency);
CREATE INDEX wallets_currency ON wallets (tenant_id, currency, created_at DESC, id DESC);
CREATE INDEX wallets_created ON wallets (tenant_id, created_at DESC, id DESC);

-- The books. A transaction is one movement; its entries sum to zero per currency.
CREATE TABLE ledger_transactions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  reference TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
-- One posting of a kind for one cause, ever: a deposit cannot be credited twice.
CREATE UNIQUE INDEX ledger_transactions_cause ON ledger_transactions (tenant_id, kind, reference);

CREATE TABLE ledger_entries (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  transaction_id TEXT NOT NULL,
  trader_id TEXT,
  wallet_id TEXT,
  account TEXT NOT NULL CHECK (account IN (
    'gateway_clearing', 'payout_clearing', 'platform_clearing', 'fx_clearing', 'adjustments', 'client_available', 'client_held')),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN -9007199254740991 AND 9007199254740991 AND amount <> 0),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, transaction_id) REFERENCES ledger_transactions (tenant_id, id),
  FOREIGN KEY (tenant_id, wallet_id) REFERENCES wallets (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((wallet_id IS NOT NULL) = (account IN ('client_available', 'client_held')))
) STRICT;
CREATE INDEX ledger_entries_transaction ON ledger_entries (tenant_id, transaction_id);
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC);
CREATE INDEX ledger_entries_trader ON ledger_entries (tenant_id, trader_id);
CREATE TRIGGER ledger_transactions_fixed BEFORE UPDATE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_kept BEFORE DELETE ON ledger_transactions BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_fixed BEFORE UPDATE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE psp_connections (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('generic')),
  secret BLOB NOT NULL,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  last_callback_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX psp_connections_created ON psp_connections (tenant_id, created_at DESC, id DESC);

CREATE TABLE deposits (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  psp_connection_id TEXT,
  provider_reference TEXT,
  method TEXT NOT NULL CHECK (method IN ('bank', 'card', 'wallet', 'crypto')),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount BETWEEN 1 AND 9007199254740991),
  settled_amount INTEGER CHECK (settled_amount BETWEEN 1 AND 9007199254740991),
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'settled', 'partially_settled', 'failed', 'cancelled')),
  failure_reason TEXT,
  note TEXT,
  provider_payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(provider_payload)),
  settled_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, psp_connection_id) REFERENCES psp_connections (tenant_id, id),
  CHECK ((status IN ('settled', 'partially_settled')) = (settled_amount IS NOT NULL))
) STRICT;
CREATE INDEX deposits_created ON deposits (tenant_id, created_at DESC, id DESC);
CREATE INDEX deposits_status ON deposits (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX deposits_currency ON deposits (tenant_id, currency, created_at DESC, id DESC);
CREATE INDEX deposits_status_currency ON deposits (tenant_id, status, currency, created_at DESC, id DESC);
CREATE INDEX deposits_trader ON deposits (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX deposits_reference ON deposits (tenant_id, provider_reference) WHERE provider_reference IS NOT NULL;
CREATE UNIQUE INDEX deposits_provider ON deposits (tenant_id, psp_connection_id, provider_reference)
  WHERE psp_connection_id IS NOT NULL AND provider_reference IS NOT NULL;

-- Audit: the chain holds salted commitments; the clear text lies beside it and can be erased without breaking the chain.
CREATE TABLE audit (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('user', 'api_key', 'trader', 'system', 'gateway', 'anonymous')),
  actor_id TEXT,
  api_key_id TEXT,
  impersonator_id TEXT,
  ip TEXT,
  request_id TEXT,
  action TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_id TEXT,
  trader_id TEXT,
  data_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (tenant_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_entity ON audit (tenant_id, entity_id, seq DESC) WHERE entity_id IS NOT NULL;
CREATE INDEX audit_trader ON audit (tenant_id, trader_id, seq DESC) WHERE trader_id IS NOT NULL;
CREATE INDEX audit_actor ON audit (tenant_id, actor_id, seq DESC) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_action ON audit (tenant_id, action, seq DESC);
CREATE TRIGGER audit_fixed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

CREATE TABLE audit_data (
  tenant_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  salt TEXT NOT NULL,
  before TEXT,
  after TEXT,
  PRIMARY KEY (tenant_id, seq),
  FOREIGN KEY (tenant_id, seq) REFERENCES audit (tenant_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER audit_data_fixed BEFORE UPDATE ON audit_data BEGIN SELECT RAISE(ABORT, 'audit data is never changed, only erased'); END;

-- Outbox: rows in commit order (one writer), handed to webhooks by a position that only moves forward.
CREATE TABLE events (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  trader_id TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX events_sequence ON events (tenant_id, sequence);
CREATE INDEX events_created ON events (created_at);
CREATE INDEX events_trader ON events (tenant_id, trader_id) WHERE trader_id IS NOT NULL;

CREATE TABLE job_state (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_subscriptions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  secret BLOB NOT NULL,
  next_secret BLOB,
  next_secret_at INTEGER,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  disabled_reason TEXT,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  warned_at INTEGER,
  last_success_at INTEGER,
  last_failure_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX webhook_subscriptions_created ON webhook_subscriptions (tenant_id, created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  subscription_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  lease_until INTEGER NOT NULL DEFAULT 0,
  replay_of TEXT,
  -- queued updates of one position: only the latest is worth sending
  coalesce_key TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES webhook_subscriptions (tenant_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (tenant_id, event_id, subscription_id) WHERE replay_of IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, subscription_id, next_attempt_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_coalesce ON webhook_deliveries (tenant_id, subscription_id, coalesce_key)
  WHERE status = 'pending' AND attempts = 0 AND coalesce_key IS NOT NULL;
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (tenant_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE webhook_attempts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  delivery_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  latency_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response TEXT,
  next_attempt_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, delivery_id) REFERENCES webhook_deliveries (tenant_id, id) ON DELETE CASCADE
) STRICT;
CREATE UNIQUE INDEX webhook_attempts_delivery ON webhook_attempts (tenant_id, delivery_id, attempt);

-- Answers of POSTs that carried an Idempotency-Key; sealed, since an answer may hold a secret shown once.
CREATE TABLE idempotency (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  principal TEXT NOT NULL,
  key TEXT NOT NULL,
  route TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  response BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, principal, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_created ON idempotency (created_at);

-- Mail waiting for SMTP, or, where none is configured, for a person to read in the console. Bodies are sealed: they carry links.
CREATE TABLE mails (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  recipient TEXT NOT NULL,
  subject TEXT NOT NULL,
  body BLOB NOT NULL,
  reader_rank INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('held', 'queued', 'sent', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE status = 'queued';
CREATE INDEX mails_created ON mails (tenant_id, created_at DESC, id DESC);
CREATE INDEX mails_expiry ON mails (expires_at);

CREATE TABLE job_runs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted')),
  detail TEXT
) STRICT;
CREATE INDEX job_runs_name ON job_runs (name, started_at DESC);

-- Search. `tenant` is a token of every document, so that a match never leaves the tenant; contentless, so the text lies only once.
-- Documents are keyed by `rid`, an explicit integer key: a bare rowid could change in VACUUM.
CREATE VIRTUAL TABLE traders_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER traders_search_insert AFTER INSERT ON traders BEGIN
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.id));
END;
CREATE TRIGGER traders_search_update AFTER UPDATE OF first_name, last_name, email, phone ON traders BEGIN
  DELETE FROM traders_search WHERE rowid = OLD.rid;
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.id));
END;
CREATE VIRTUAL TABLE accounts_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER accounts_search_insert AFTER INSERT ON accounts BEGIN
  INSERT INTO accounts_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.account_number, NEW.external_id, NEW.platform, NEW.id));
END;
CREATE TRIGGER accounts_search_update AFTER UPDATE OF account_number, external_id, platform ON accounts BEGIN
  DELETE FROM accounts_search WHERE rowid = OLD.rid;
  INSERT INTO accounts_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.account_number, NEW.external_id, NEW.platform, NEW.id));
END;
