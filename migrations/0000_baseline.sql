-- The whole schema of brokerbase.db as the first release has it. Changes after it are migrations of their own.
--
-- Every table of a firm has (tenant_id, id) as its key and refers to others by (tenant_id, x_id), so that SQLite itself
-- refuses a row that points into another firm. Times are integer milliseconds UTC; money is integer minor units within
-- ±(2^53−1). A table is followed by its indexes and then by the triggers that keep it.

-- ── The installation ────────────────────────────────────────────────────────────────────────────────────────────────

-- What the installation itself must remember, in no firm: one fact a name, as JSON.
CREATE TABLE box_facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value)),
  noted_at INTEGER NOT NULL
) STRICT;

-- Proves that every row is one that this program wrote: the digests of all tables, renewed in each transaction, and
-- sealed with the key of the installation so that nobody else can read or make them.
CREATE TABLE table_seals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed BLOB NOT NULL
) STRICT;

CREATE TABLE job_state (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE job_runs (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted')),
  detail TEXT
) STRICT;
CREATE INDEX job_runs_name ON job_runs (name, started_at DESC);

-- ── Firms and colleagues ────────────────────────────────────────────────────────────────────────────────────────────

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
  updated_at INTEGER NOT NULL,
  -- Time zone, currency, conversions, platforms, security: one JSON object, checked in code.
  settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings))
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
CREATE INDEX users_updated ON users (tenant_id, updated_at, id);

-- What colleagues were called before, each name with until when: what they did keeps the name that they had then.
CREATE TABLE user_names (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX user_names_user ON user_names (tenant_id, user_id, until);

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
  -- A key may act with a role below its maker’s.
  role TEXT CHECK (role IN ('viewer', 'operator', 'manager', 'admin', 'owner', 'platform_admin')),
  -- What a key might do until decisions got scopes of their own, for its page to name.
  lost_scopes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(lost_scopes)),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX api_keys_user ON api_keys (tenant_id, user_id);
CREATE INDEX api_keys_created ON api_keys (tenant_id, created_at DESC, id DESC);
CREATE INDEX api_keys_updated ON api_keys (tenant_id, updated_at, id);

-- An owner looks at the console or the portal as somebody else: a session that reads only, for 15 minutes, and why.
CREATE TABLE views (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  trader_id TEXT,
  as_user_id TEXT,
  reason TEXT,
  role TEXT NOT NULL,
  session_id TEXT NOT NULL,
  own_session_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, as_user_id) REFERENCES users (tenant_id, id),
  CHECK ((trader_id IS NULL) <> (as_user_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX views_session ON views (tenant_id, session_id);
CREATE INDEX views_created ON views (tenant_id, created_at DESC, id DESC);
CREATE INDEX views_user ON views (tenant_id, user_id, created_at DESC, id DESC);
CREATE INDEX views_trader ON views (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX views_as_user ON views (tenant_id, as_user_id, created_at DESC, id DESC);

-- How somebody looks at a list of the console, under a name: its filters, order and columns. Of one person, or shared.
CREATE TABLE saved_views (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  list TEXT NOT NULL,
  name TEXT NOT NULL,
  filters TEXT NOT NULL CHECK (json_valid(filters)),
  look TEXT NOT NULL CHECK (json_valid(look)),
  shared INTEGER NOT NULL DEFAULT 0 CHECK (shared IN (0, 1)),
  is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX saved_views_name ON saved_views (tenant_id, user_id, list, name);
CREATE INDEX saved_views_list ON saved_views (tenant_id, list, name);

-- How many clients somebody read on a day, until its line stands in the audit.
CREATE TABLE people_reads (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  day INTEGER NOT NULL,
  user_id TEXT NOT NULL,
  api_key_id TEXT,
  clients INTEGER NOT NULL CHECK (clients BETWEEN 0 AND 10000),
  mailed_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX people_reads_once ON people_reads (tenant_id, user_id, day, coalesce(api_key_id, ''));
CREATE INDEX people_reads_day ON people_reads (day);

-- ── Clients ─────────────────────────────────────────────────────────────────────────────────────────────────────────

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
  -- Who chose the address that links go to; null for the client themselves and for machines of the client’s.
  email_by TEXT,
  -- What a manager suspended or closed only a manager reopens.
  held_by_manager INTEGER NOT NULL DEFAULT 0 CHECK (held_by_manager IN (0, 1)),
  merged_into TEXT,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, assigned_to) REFERENCES users (tenant_id, id)
) STRICT;
-- A client who was deleted keeps the address, since they can be restored; one who was erased has none.
CREATE UNIQUE INDEX traders_email ON traders (tenant_id, email) WHERE email IS NOT NULL;
CREATE INDEX traders_by_email ON traders (email) WHERE email IS NOT NULL;
CREATE INDEX traders_live ON traders (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_status ON traders (tenant_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_kyc ON traders (tenant_id, kyc_status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_country ON traders (tenant_id, country, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_assigned ON traders (tenant_id, assigned_to, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX traders_deleted ON traders (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX traders_updated ON traders (tenant_id, updated_at, id);
CREATE INDEX traders_registered ON traders (tenant_id, created_at);
CREATE INDEX traders_merged ON traders (tenant_id, merged_into) WHERE merged_into IS NOT NULL;
-- The header of the list of clients is counted over this index alone.
CREATE INDEX traders_counted ON traders (tenant_id, status, kyc_status, kyc_level, risk_level) WHERE deleted_at IS NULL;
-- Covers the counts of an affiliate’s clients: with the deleted ones in it every client’s row would be read.
CREATE INDEX traders_affiliate ON traders (tenant_id, affiliate_id, created_at DESC, id DESC)
  WHERE affiliate_id IS NOT NULL AND deleted_at IS NULL;

-- Search. `tenant` is a token of every document, so that a match never leaves the firm. The index is contentless, so
-- that the text is stored once. A document is keyed by `rid`, an explicit integer key: a bare rowid could change in
-- VACUUM.
CREATE VIRTUAL TABLE traders_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER traders_search_insert AFTER INSERT ON traders BEGIN
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE TRIGGER traders_search_update AFTER UPDATE OF first_name, last_name, email ON traders BEGIN
  DELETE FROM traders_search WHERE rowid = OLD.rid;
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;

-- A phone is found by any four or more of its digits. Every run of four digits is a token of the number’s document, and
-- the last four once more behind a letter, since people say those: who ends so comes first. The rows found are then
-- compared with all digits that were typed. Each token begins with the firm, so that a match never leaves it and never
-- walks over a list that all clients share.
CREATE VIRTUAL TABLE traders_phones USING fts5 (
  runs, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TRIGGER traders_phones_insert AFTER INSERT ON traders WHEN NEW.phone IS NOT NULL BEGIN
  INSERT INTO traders_phones (rowid, runs)
  VALUES (NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12))
    WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3));
END;
CREATE TRIGGER traders_phones_update AFTER UPDATE OF phone ON traders BEGIN
  DELETE FROM traders_phones WHERE rowid = OLD.rid;
  INSERT INTO traders_phones (rowid, runs)
  SELECT NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12))
    WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3)
  WHERE NEW.phone IS NOT NULL;
END;

-- Segments and tags as rows, so that a rare one among 100,000 clients is found by index. They are keyed by the client’s
-- integer key: those of a common tag are read in the order of a list, and no further than its page.
CREATE TABLE trader_labels (
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('segment', 'tag')),
  value TEXT NOT NULL,
  trader_rid INTEGER NOT NULL,
  trader_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind, value, trader_rid),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX trader_labels_trader ON trader_labels (tenant_id, trader_id);
CREATE TRIGGER traders_labels_insert AFTER INSERT ON traders WHEN NEW.segments <> '[]' OR NEW.tags <> '[]' BEGIN
  INSERT OR IGNORE INTO trader_labels
    SELECT NEW.tenant_id, 'segment', value, NEW.rid, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.rid, NEW.id FROM json_each(NEW.tags);
END;
CREATE TRIGGER traders_labels_update AFTER UPDATE OF segments, tags ON traders
WHEN NEW.segments <> OLD.segments OR NEW.tags <> OLD.tags BEGIN
  DELETE FROM trader_labels WHERE tenant_id = NEW.tenant_id AND trader_id = NEW.id;
  INSERT OR IGNORE INTO trader_labels
    SELECT NEW.tenant_id, 'segment', value, NEW.rid, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.rid, NEW.id FROM json_each(NEW.tags);
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

-- Two rows of one person become one: which, by whom, and what moved. A client is merged away once.
CREATE TABLE trader_merges (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  primary_id TEXT NOT NULL,
  secondary_id TEXT NOT NULL,
  merged_by TEXT NOT NULL,
  moved TEXT NOT NULL CHECK (json_valid(moved)),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, primary_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, secondary_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, merged_by) REFERENCES users (tenant_id, id),
  CHECK (primary_id <> secondary_id)
) STRICT;
CREATE UNIQUE INDEX trader_merges_secondary ON trader_merges (tenant_id, secondary_id);
CREATE INDEX trader_merges_primary ON trader_merges (tenant_id, primary_id, created_at);
CREATE INDEX trader_merges_author ON trader_merges (tenant_id, merged_by);

-- What the client who was merged away was reached by: nobody else registers with it.
CREATE TABLE trader_aliases (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('email', 'phone')),
  value TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX trader_aliases_once ON trader_aliases (tenant_id, trader_id, kind, value);
CREATE INDEX trader_aliases_value ON trader_aliases (tenant_id, value);
CREATE UNIQUE INDEX trader_aliases_email ON trader_aliases (tenant_id, value) WHERE kind = 'email';

-- What the law has a firm keep of an erased client: the text sealed in pieces, the documents as they lie in files.db.
CREATE TABLE kept_records (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  reason TEXT NOT NULL CHECK (reason IN ('documents', 'money', 'documents_and_money')),
  last_at INTEGER NOT NULL,
  kept_until INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX kept_records_created ON kept_records (tenant_id, created_at DESC, id DESC);
CREATE INDEX kept_records_end ON kept_records (kept_until);

CREATE TABLE kept_parts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position >= 0),
  sealed BLOB,
  file_id TEXT,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, record_id) REFERENCES kept_records (tenant_id, id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES files (tenant_id, id),
  CHECK ((sealed IS NULL) <> (file_id IS NULL))
) STRICT;
CREATE UNIQUE INDEX kept_parts_order ON kept_parts (tenant_id, record_id, position);
CREATE UNIQUE INDEX kept_parts_file ON kept_parts (tenant_id, file_id) WHERE file_id IS NOT NULL;

-- ── Sign-in and mail ────────────────────────────────────────────────────────────────────────────────────────────────

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
  -- A password that a colleague chose is changed at the first use.
  must_change INTEGER NOT NULL DEFAULT 0 CHECK (must_change IN (0, 1)),
  totp_enabled_at INTEGER,
  -- Wrong codes of the second factor, over all addresses: the times of the last ten, and when the holder was told. Kept
  -- here, so that no crash forgets them.
  code_failures TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(code_failures)),
  code_alarm_at INTEGER,
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
  -- When the password was given again: such a session counts as fresh.
  proven_at INTEGER,
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
  -- The sealed token of a link, so that a link that is still good can be mailed once more.
  token BLOB,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((user_id IS NULL) <> (trader_id IS NULL))
) STRICT;
CREATE INDEX one_time_links_user ON one_time_links (tenant_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX one_time_links_trader ON one_time_links (tenant_id, trader_id) WHERE trader_id IS NOT NULL;
CREATE INDEX one_time_links_expiry ON one_time_links (expires_at);

-- When links were mailed to whom (a keyed hash of the address): three an hour. Kept for an hour.
CREATE TABLE link_mails (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  recipient TEXT NOT NULL,
  sent_at INTEGER NOT NULL
) STRICT;
CREATE INDEX link_mails_recipient ON link_mails (tenant_id, recipient, sent_at);
CREATE INDEX link_mails_sent ON link_mails (sent_at);

-- Mail waiting for SMTP, or, where none is configured, for a person to read in the console. Bodies are sealed, since
-- they carry links.
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
  -- A mail that carries a link makes its reader the recipient; a notice does not.
  link INTEGER NOT NULL DEFAULT 1 CHECK (link IN (0, 1)),
  -- Whom the link of a mail lets in: an address may be somebody else’s too, and later another one.
  link_user_id TEXT,
  link_trader_id TEXT,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE status = 'queued';
CREATE INDEX mails_created ON mails (tenant_id, created_at DESC, id DESC);
CREATE INDEX mails_expiry ON mails (expires_at);

-- ── Independence of votes ───────────────────────────────────────────────────────────────────────────────────────────

-- What somebody did to a colleague’s account that lets them act as its holder: from then on both are one person until a
-- third one vouches. `by_user_id` may be of another firm (who founds a firm), so it refers to nothing.
CREATE TABLE account_acts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  by_user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('invited', 'password', 'link', 'second_factor', 'role', 'stepped_down')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX account_acts_user ON account_acts (tenant_id, user_id, created_at);

-- Who said that an account is its holder’s alone; `by_user_id` is null where 72 hours passed in a firm without a third
-- person.
CREATE TABLE account_vouches (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  by_user_id TEXT,
  note TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, by_user_id) REFERENCES users (tenant_id, id),
  CHECK (by_user_id IS NULL OR by_user_id <> user_id)
) STRICT;
CREATE INDEX account_vouches_user ON account_vouches (tenant_id, user_id, created_at);
CREATE INDEX account_vouches_author ON account_vouches (tenant_id, by_user_id);

-- What members of staff did for one client that counts against their votes on that client’s money for 30 days. Rows are
-- never changed, so they have no version.
CREATE TABLE client_acts (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  act TEXT NOT NULL CHECK (act IN (
    'read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as', 'deposit', 'transfer',
    'refused_transfer', 'unsent_withdrawal', 'credit', 'rate', 'gateway_secret', 'linked_account', 'changed_phone',
    'changed_name', 'changed_country', 'changed_birth_date', 'sent_link', 'gave_broker', 'merged', 'confirmed_match',
    'set_hold', 'stopped', 'failed_kyc', 'lifted_match', 'lifted_hold', 'lifted_stop', 'lifted_kyc')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX client_acts_trader ON client_acts (tenant_id, trader_id, created_at);
CREATE INDEX client_acts_user ON client_acts (tenant_id, user_id, created_at);

-- ── Audit ───────────────────────────────────────────────────────────────────────────────────────────────────────────

-- The chain holds salted commitments; the clear text lies in audit_data and can be erased without breaking the chain.
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
-- What people did, also by keys of theirs, is a small part of the log: bridges report every few seconds.
CREATE INDEX audit_people ON audit (tenant_id, seq DESC)
  WHERE actor_kind NOT IN ('system', 'gateway') AND action NOT IN ('position.sync', 'account.sync');
-- Clients that somebody entered, counted when they leave: without it each count would read the whole log.
CREATE INDEX audit_entered ON audit (tenant_id, actor_id, at, entity, action)
  WHERE entity = 'trader' AND action IN ('trader.create', 'lead.convert');
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
CREATE TRIGGER audit_data_fixed BEFORE UPDATE ON audit_data
  BEGIN SELECT RAISE(ABORT, 'audit data is never changed, only erased'); END;

-- Whose clear text was erased, one by one. The program signs what it erases; a removal by another hand has no
-- signature.
CREATE TABLE audit_erasures (
  tenant_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  mac TEXT,
  PRIMARY KEY (tenant_id, seq),
  FOREIGN KEY (tenant_id, seq) REFERENCES audit (tenant_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_erasures_unsigned ON audit_erasures (tenant_id) WHERE mac IS NULL;
CREATE TRIGGER audit_data_erased AFTER DELETE ON audit_data BEGIN
  INSERT OR IGNORE INTO audit_erasures (tenant_id, seq) VALUES (OLD.tenant_id, OLD.seq);
END;

-- The last entry of each firm’s audit log, sealed under the firm’s key with every commit, so that a tail that was cut
-- off is missed. From `firm_key_from` on entries are signed with the firm’s key, before it with the installation’s.
CREATE TABLE audit_heads (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  firm_key_from INTEGER NOT NULL,
  mac TEXT NOT NULL
) STRICT;

-- Heads of audits that were sealed and that the log no longer had when it was gone on with: proof that entries went.
CREATE TABLE audit_breaks (
  tenant_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  firm_key_from INTEGER NOT NULL,
  mac TEXT NOT NULL,
  found_seq INTEGER NOT NULL,
  found_hash TEXT NOT NULL,
  found_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, seq, hash)
) STRICT, WITHOUT ROWID;

-- ── Events, webhooks and repeated requests ──────────────────────────────────────────────────────────────────────────

-- The outbox: rows in the order of their commits, handed to webhooks by a position that only moves forward.
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
-- Updates of positions are kept for a day, all other events for thirty.
CREATE INDEX events_updates ON events (created_at) WHERE event = 'position.updated';

CREATE TABLE webhook_subscriptions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL CHECK (json_valid(events)),
  secret BLOB NOT NULL,
  next_secret BLOB,
  -- Until when the old secret still signs beside the new one.
  overlap_until INTEGER,
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
  -- Who made a receiver, who changed it last, and everybody who did either since somebody else confirmed it.
  made_by TEXT,
  changed_by TEXT,
  hands TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(hands)),
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX webhook_subscriptions_created ON webhook_subscriptions (tenant_id, created_at DESC, id DESC);
CREATE INDEX webhook_subscriptions_updated ON webhook_subscriptions (tenant_id, updated_at, id);

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
  -- Of queued updates of one position only the latest is worth sending.
  coalesce_key TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES webhook_subscriptions (tenant_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (tenant_id, event_id, subscription_id)
  WHERE replay_of IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, subscription_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_coalesce ON webhook_deliveries (tenant_id, subscription_id, coalesce_key)
  WHERE status = 'pending' AND attempts = 0 AND coalesce_key IS NOT NULL;
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (tenant_id, subscription_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
-- What the erasure of a person finds the repeated copies of an event by; a first delivery is found by
-- webhook_deliveries_once.
CREATE INDEX webhook_deliveries_replays ON webhook_deliveries (tenant_id, event_id) WHERE replay_of IS NOT NULL;

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

-- Answers of POSTs that carried an Idempotency-Key; sealed, since an answer may hold a secret that is shown once.
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

-- ── Uploads, KYC and sanctions ──────────────────────────────────────────────────────────────────────────────────────

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
-- Uploads that are not part of a record yet: what a quota counts.
CREATE INDEX files_open ON files (tenant_id, trader_id) WHERE status <> 'attached';

-- Bytes that uploads take, announced ones included, for a firm (trader_id '') and for each of its clients: a quota must
-- not count a large firm’s files one by one. The triggers keep it, so that no way of storing a file can forget it.
CREATE TABLE file_usage (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  trader_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, trader_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER files_usage_insert AFTER INSERT ON files BEGIN
  INSERT INTO file_usage (tenant_id, trader_id, bytes)
    SELECT NEW.tenant_id, value, NEW.size FROM json_each(json_array('', NEW.trader_id)) WHERE value IS NOT NULL
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER files_usage_delete AFTER DELETE ON files BEGIN
  UPDATE file_usage SET bytes = bytes - OLD.size WHERE tenant_id = OLD.tenant_id AND trader_id IN ('', OLD.trader_id);
END;
CREATE TRIGGER files_usage_update AFTER UPDATE OF trader_id, size ON files
WHEN OLD.trader_id IS NOT NEW.trader_id OR OLD.size <> NEW.size BEGIN
  UPDATE file_usage SET bytes = bytes - OLD.size WHERE tenant_id = OLD.tenant_id AND trader_id IN ('', OLD.trader_id);
  INSERT INTO file_usage (tenant_id, trader_id, bytes)
    SELECT NEW.tenant_id, value, NEW.size FROM json_each(json_array('', NEW.trader_id)) WHERE value IS NOT NULL
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

CREATE TABLE kyc_submissions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  level INTEGER NOT NULL CHECK (level BETWEEN 1 AND 3),
  status TEXT NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'approved', 'rejected')),
  rejection_kind TEXT CHECK (rejection_kind IN ('retry', 'final')),
  rejection_code TEXT,
  rejection_detail TEXT,
  rejection_note TEXT,
  decided_by TEXT,
  decided_at INTEGER,
  note TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Whoever handed papers in does not approve them.
  handed_by TEXT,
  -- Approved papers of somebody who is called otherwise since wait again.
  reopened_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, decided_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX kyc_submissions_open ON kyc_submissions (tenant_id, trader_id) WHERE status = 'requested';
CREATE INDEX kyc_submissions_created ON kyc_submissions (tenant_id, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_status ON kyc_submissions (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_trader ON kyc_submissions (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_decider ON kyc_submissions (tenant_id, decided_by);
CREATE INDEX kyc_submissions_updated ON kyc_submissions (tenant_id, updated_at, id);

-- The bytes lie sealed in files.db under the file’s key.
CREATE TABLE kyc_documents (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  submission_id TEXT,
  file_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN (
    'passport', 'identity_card', 'driving_licence', 'residence_permit', 'proof_of_address', 'selfie', 'source_of_funds',
    'other')),
  side TEXT CHECK (side IN ('front', 'back')),
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  uploaded_by TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, submission_id) REFERENCES kyc_submissions (tenant_id, id),
  FOREIGN KEY (tenant_id, file_id) REFERENCES files (tenant_id, id),
  FOREIGN KEY (tenant_id, uploaded_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX kyc_documents_trader ON kyc_documents (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX kyc_documents_submission ON kyc_documents (tenant_id, submission_id);
CREATE UNIQUE INDEX kyc_documents_file ON kyc_documents (tenant_id, file_id);
CREATE INDEX kyc_documents_uploader ON kyc_documents (tenant_id, uploaded_by);

-- Screening fails closed. A list is current from its loading on and holds money back until everybody was compared with
-- it; the entries of the list before stay that long, so that it can be current again where the screening fails.
CREATE TABLE sanctions_lists (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  source TEXT NOT NULL CHECK (source IN ('ofac_sdn', 'eu', 'un')),
  list_version TEXT NOT NULL,
  hash TEXT NOT NULL,
  entries INTEGER NOT NULL,
  current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1)),
  screened_at INTEGER,
  created_at INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'screening' CHECK (status IN ('screening', 'screened', 'replaced', 'failed')),
  replaces TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  began_at INTEGER,
  failure TEXT,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sanctions_lists_current ON sanctions_lists (tenant_id, source) WHERE current = 1;
CREATE INDEX sanctions_lists_created ON sanctions_lists (tenant_id, created_at DESC, id DESC);
CREATE INDEX sanctions_lists_status ON sanctions_lists (tenant_id, status);

CREATE TABLE sanctions_entries (
  tenant_id TEXT NOT NULL,
  list_id TEXT NOT NULL,
  reference TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'entity')),
  names TEXT NOT NULL CHECK (json_valid(names)),
  births TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(births)),
  countries TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(countries)),
  programme TEXT,
  PRIMARY KEY (tenant_id, list_id, reference),
  FOREIGN KEY (tenant_id, list_id) REFERENCES sanctions_lists (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sanctions_hits (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  source TEXT NOT NULL,
  reference TEXT NOT NULL,
  name TEXT NOT NULL,
  score INTEGER NOT NULL CHECK (score BETWEEN 0 AND 100),
  explanation TEXT NOT NULL CHECK (json_valid(explanation)),
  list_hash TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'cleared', 'confirmed')),
  reason TEXT,
  decided_by TEXT,
  decided_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Clearing a confirmed match takes two people: the first word of them.
  first_word_by TEXT,
  first_word_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, decided_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sanctions_hits_once ON sanctions_hits (tenant_id, trader_id, source, reference);
CREATE INDEX sanctions_hits_created ON sanctions_hits (tenant_id, created_at DESC, id DESC);
CREATE INDEX sanctions_hits_status ON sanctions_hits (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX sanctions_hits_trader ON sanctions_hits (tenant_id, trader_id, status);
CREATE INDEX sanctions_hits_decider ON sanctions_hits (tenant_id, decided_by);
CREATE INDEX sanctions_hits_updated ON sanctions_hits (tenant_id, updated_at, id);

-- Clients who, as changed last, were not compared with the current lists yet. The triggers keep it, so that no way of
-- changing a client can forget it. `mark` grows with every change, and only the change that was screened is taken off.
CREATE TABLE sanctions_due (
  tenant_id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  mark INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, trader_id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TRIGGER traders_screen_insert AFTER INSERT ON traders
WHEN EXISTS (SELECT 1 FROM sanctions_lists WHERE tenant_id = NEW.tenant_id AND current = 1) BEGIN
  INSERT INTO sanctions_due (tenant_id, trader_id) VALUES (NEW.tenant_id, NEW.id)
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET mark = mark + 1;
END;
CREATE TRIGGER traders_screen_update AFTER UPDATE OF first_name, last_name, date_of_birth, country ON traders
WHEN (OLD.first_name IS NOT NEW.first_name OR OLD.last_name IS NOT NEW.last_name
    OR OLD.date_of_birth IS NOT NEW.date_of_birth OR OLD.country IS NOT NEW.country)
  AND EXISTS (SELECT 1 FROM sanctions_lists WHERE tenant_id = NEW.tenant_id AND current = 1) BEGIN
  INSERT INTO sanctions_due (tenant_id, trader_id) VALUES (NEW.tenant_id, NEW.id)
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET mark = mark + 1;
END;

-- ── Support ─────────────────────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE tickets (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT,
  subject TEXT NOT NULL,
  category TEXT NOT NULL DEFAULT 'general',
  priority TEXT NOT NULL DEFAULT 'normal' CHECK (priority IN ('urgent', 'high', 'normal', 'low')),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'pending', 'resolved', 'closed')),
  assigned_to TEXT,
  first_reply_due_at INTEGER,
  resolution_due_at INTEGER,
  first_replied_at INTEGER,
  paused_at INTEGER,
  warned_at INTEGER,
  breached_at INTEGER,
  closed_at INTEGER,
  last_message_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- When somebody must act on a ticket, for the order of the inbox: the first reply until there is one, then the
  -- resolution. A ticket whose clocks stand, or that is done, comes last. The same rule as nextDue() in
  -- src/modules/support/sla.ts.
  due_order INTEGER GENERATED ALWAYS AS (
    CASE WHEN status = 'open'
      THEN coalesce(CASE WHEN first_replied_at IS NULL THEN first_reply_due_at END, resolution_due_at, 9007199254740991)
      ELSE 9007199254740991 END
  ) VIRTUAL,
  -- When the clocks began (the ticket was opened, or opened again) and when they stood, so that another priority sets
  -- deadlines that leave pauses out.
  clock_started_at INTEGER,
  pauses TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(pauses)),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, assigned_to) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX tickets_created ON tickets (tenant_id, created_at DESC, id DESC);
CREATE INDEX tickets_status ON tickets (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX tickets_trader ON tickets (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX tickets_assigned ON tickets (tenant_id, assigned_to, created_at DESC, id DESC);
CREATE INDEX tickets_due ON tickets (tenant_id, due_order, id);
CREATE INDEX tickets_status_due ON tickets (tenant_id, status, due_order, id);
-- What the watch over the deadlines looks at, of all firms.
CREATE INDEX tickets_watched ON tickets (due_order, tenant_id, id) WHERE status = 'open' AND breached_at IS NULL;
CREATE INDEX tickets_updated ON tickets (tenant_id, updated_at, id);

CREATE TABLE ticket_messages (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  ticket_id TEXT NOT NULL,
  trader_id TEXT,
  author_kind TEXT NOT NULL CHECK (author_kind IN ('staff', 'trader', 'system')),
  author_id TEXT,
  internal INTEGER NOT NULL DEFAULT 0 CHECK (internal IN (0, 1)),
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, ticket_id) REFERENCES tickets (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE INDEX ticket_messages_ticket ON ticket_messages (tenant_id, ticket_id, created_at, id);
CREATE INDEX ticket_messages_trader ON ticket_messages (tenant_id, trader_id);
-- What a client wrote within a day is added up before each message: read from the index, however old the client is.
CREATE INDEX ticket_messages_words ON ticket_messages (tenant_id, trader_id, created_at);

-- ── Trading accounts and positions ──────────────────────────────────────────────────────────────────────────────────

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
  -- Every report of a balance is somebody’s word, also the same figure again: when it came, whose it is, and whether it
  -- is the platform’s own. Money from an account goes by it, and never on the word of the one who typed it.
  balance_at INTEGER,
  balance_by TEXT,
  by_bridge INTEGER NOT NULL DEFAULT 0 CHECK (by_bridge IN (0, 1)),
  -- When a demo account was last made a live one: what was opened before earns nobody anything.
  live_since INTEGER,
  -- Whose an account was before it moved by merges: who brought a client counts by the client of the time.
  first_trader_id TEXT,
  -- When an account was last given to another client. What was traded before qualifies nobody’s acquisition.
  given_at INTEGER,
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX accounts_external ON accounts (tenant_id, platform, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX accounts_number ON accounts (tenant_id, platform, account_number)
  WHERE account_number IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX accounts_created ON accounts (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_status ON accounts (tenant_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_trader ON accounts (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX accounts_currency ON accounts (tenant_id, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_platform ON accounts (tenant_id, platform, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The two together: a firm has three platforms and three currencies, and a pair that nobody has would be searched for
-- among all of one.
CREATE INDEX accounts_platform_currency ON accounts (tenant_id, platform, currency, created_at DESC, id DESC)
  WHERE deleted_at IS NULL;
CREATE INDEX accounts_updated ON accounts (tenant_id, updated_at, id);

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

-- The last sequence of balances taken from each platform server, as in position_streams for positions.
CREATE TABLE account_streams (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  platform TEXT NOT NULL,
  server TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A platform numbers its reports by itself, whatever numbers people use besides: the last sequence of its bridge.
  bridge_sequence INTEGER,
  PRIMARY KEY (tenant_id, platform, server)
) STRICT, WITHOUT ROWID;

-- Volume is exact: units of 0.00000001 lot. Prices are decimal text as the platform sent them.
CREATE TABLE positions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  platform TEXT NOT NULL,
  server TEXT NOT NULL,
  ticket TEXT NOT NULL,
  account_number TEXT NOT NULL,
  account_id TEXT,
  trader_id TEXT,
  symbol TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('long', 'short')),
  volume INTEGER NOT NULL CHECK (volume BETWEEN 1 AND 9007199254740991),
  open_price TEXT NOT NULL,
  current_price TEXT NOT NULL,
  currency TEXT,
  profit INTEGER NOT NULL CHECK (profit BETWEEN -9007199254740991 AND 9007199254740991),
  swap INTEGER NOT NULL DEFAULT 0 CHECK (swap BETWEEN -9007199254740991 AND 9007199254740991),
  commission INTEGER NOT NULL DEFAULT 0 CHECK (commission BETWEEN -9007199254740991 AND 9007199254740991),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Closed only because a snapshot did not have it: what the platform says later still counts.
  assumed_closed INTEGER NOT NULL DEFAULT 0 CHECK (assumed_closed IN (0, 1)),
  -- What is in no account of ours has no currency that we know: the amounts wait as the platform said them, {profit,
  -- swap, commission}.
  reported TEXT CHECK ((reported IS NOT NULL) = (currency IS NULL) AND (reported IS NULL OR json_valid(reported))),
  -- What platforms first reported of a position, and what its spread cost the client, in the account’s currency.
  opened_volume INTEGER NOT NULL DEFAULT 0,
  spread INTEGER,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX positions_ticket ON positions (tenant_id, platform, server, ticket);
CREATE INDEX positions_created ON positions (tenant_id, created_at DESC, id DESC);
CREATE INDEX positions_status ON positions (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX positions_symbol ON positions (tenant_id, symbol, created_at DESC, id DESC);
CREATE INDEX positions_trader ON positions (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX positions_account ON positions (tenant_id, account_id);
-- Covers the heatmap: it never touches the rows.
CREATE INDEX positions_open ON positions (tenant_id, symbol, side, volume, trader_id) WHERE status = 'open';
CREATE INDEX positions_unlinked ON positions (tenant_id, platform, account_number, id) WHERE account_id IS NULL;
CREATE INDEX positions_updated ON positions (tenant_id, updated_at, id);
CREATE INDEX positions_closed ON positions (tenant_id, closed_at, id) WHERE closed_at IS NOT NULL;
-- The page of a client adds up what is open: somebody who trades all day has very many closed positions.
CREATE INDEX positions_trader_open ON positions (tenant_id, trader_id, currency, profit) WHERE status = 'open';

-- The last sequence taken from each platform server: a repeat or an older one changes nothing.
CREATE TABLE position_streams (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  platform TEXT NOT NULL,
  server TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- A platform numbers its reports by itself, whatever numbers people use besides: the last sequence of its bridge.
  bridge_sequence INTEGER,
  PRIMARY KEY (tenant_id, platform, server)
) STRICT, WITHOUT ROWID;

-- ── Exchange rates ──────────────────────────────────────────────────────────────────────────────────────────────────

-- Old rates are kept, since a conversion names the rate it used; one rate of each pair is current. A rate far from that
-- of the day before waits for a second person. It is a row of its own beside the one that holds, and never holds
-- itself: who confirms it sends a row of their own, which names in `proposed_by` whose word it repeats.
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
  unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed IN (0, 1)),
  proposed_by TEXT,
  -- Until when a row held or waited.
  ended_at INTEGER,
  -- Who removed a rate of the firm: the price that holds without it is their word too.
  ended_by TEXT,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id),
  CHECK (base <> quote)
) STRICT;
CREATE INDEX fx_rates_author ON fx_rates (tenant_id, created_by);
CREATE UNIQUE INDEX fx_rates_current ON fx_rates (tenant_id, base, quote, unconfirmed) WHERE current = 1;
CREATE INDEX fx_rates_waiting ON fx_rates (tenant_id) WHERE current = 1 AND unconfirmed = 1;
CREATE INDEX fx_rates_history ON fx_rates (tenant_id, base, quote, created_at) WHERE unconfirmed = 0;
CREATE INDEX fx_rates_removed ON fx_rates (tenant_id, ended_at) WHERE ended_by IS NOT NULL;

-- The rates that feed every firm; they belong to none.
CREATE TABLE fx_global_rates (
  id TEXT PRIMARY KEY,
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  current INTEGER NOT NULL DEFAULT 1 CHECK (current IN (0, 1)),
  created_at INTEGER NOT NULL,
  created_by TEXT,
  unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed IN (0, 1)),
  proposed_by TEXT,
  ended_at INTEGER,
  CHECK (base <> quote)
) STRICT;
CREATE UNIQUE INDEX fx_global_rates_current ON fx_global_rates (base, quote, unconfirmed) WHERE current = 1;
CREATE INDEX fx_global_rates_waiting ON fx_global_rates (id) WHERE current = 1 AND unconfirmed = 1;
CREATE INDEX fx_global_rates_history ON fx_global_rates (base, quote, created_at) WHERE unconfirmed = 0;

-- What a currency was worth on days that had no rate: for reports and commissions only. It counts from the begin of a
-- day on, until a rate of the pair held. Nothing is converted or compared by it.
CREATE TABLE fx_past_rates (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  -- The day of the firm’s zone, and the instant at which it began.
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

-- ── Wallets and the ledger ──────────────────────────────────────────────────────────────────────────────────────────

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
CREATE INDEX wallets_updated ON wallets (tenant_id, updated_at, id);

-- A transaction is one movement of money; the entries of each of its currencies add up to zero.
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
CREATE TRIGGER ledger_transactions_fixed BEFORE UPDATE ON ledger_transactions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_transactions_kept BEFORE DELETE ON ledger_transactions
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE ledger_entries (
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
CREATE INDEX ledger_entries_transaction ON ledger_entries (tenant_id, transaction_id);
-- What a wallet held at a time is summed from this index alone.
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC, amount);
CREATE INDEX ledger_entries_trader ON ledger_entries (tenant_id, trader_id);
CREATE INDEX ledger_entries_posted ON ledger_entries (tenant_id, created_at, id);
-- The list by one account of the books: a filter that few rows pass must not walk all of them.
CREATE INDEX ledger_entries_account ON ledger_entries (tenant_id, account, created_at, id);
CREATE TRIGGER ledger_entries_fixed BEFORE UPDATE ON ledger_entries
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_entries_kept BEFORE DELETE ON ledger_entries
  BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- ── Money in, out and between ───────────────────────────────────────────────────────────────────────────────────────

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
  -- Who entered the secret that a gateway’s word is believed by, and when.
  secret_by TEXT,
  secret_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX psp_connections_created ON psp_connections (tenant_id, created_at DESC, id DESC);
CREATE INDEX psp_connections_updated ON psp_connections (tenant_id, updated_at, id);

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
  status TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'settled', 'partially_settled', 'failed', 'cancelled')),
  failure_reason TEXT,
  note TEXT,
  provider_payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(provider_payload)),
  settled_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Money in by hand: who said what.
  announced_by TEXT,
  by_trader INTEGER NOT NULL DEFAULT 0 CHECK (by_trader IN (0, 1)),
  settled_by TEXT,
  first_word_by TEXT,
  first_word_at INTEGER,
  first_word_amount INTEGER CHECK (first_word_amount BETWEEN 1 AND 9007199254740991),
  -- The payment’s reference as it is compared.
  reference_key TEXT,
  repeat_of TEXT,
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
CREATE INDEX deposits_reference_key ON deposits (tenant_id, method, reference_key) WHERE reference_key IS NOT NULL;
CREATE INDEX deposits_settled_by ON deposits (tenant_id, settled_by, settled_at) WHERE settled_by IS NOT NULL;
CREATE INDEX deposits_updated ON deposits (tenant_id, updated_at, id);
-- Money by the day it arrived, answered from the index alone.
CREATE INDEX deposits_settled ON deposits (tenant_id, settled_at, currency, settled_amount, trader_id)
  WHERE settled_at IS NOT NULL;
CREATE INDEX deposits_trader_settled ON deposits (tenant_id, trader_id, settled_at) WHERE settled_at IS NOT NULL;
-- The list of one gateway: a filter that few rows pass must not walk all of them.
CREATE INDEX deposits_gateway ON deposits (tenant_id, psp_connection_id, created_at, id)
  WHERE psp_connection_id IS NOT NULL;
-- Lists of money are narrowed and put in order by the amount, which means something within one currency alone.
CREATE INDEX deposits_amount ON deposits (tenant_id, currency, amount, id);

-- What a gateway said and could not do to our books; work until a person closes it.
CREATE TABLE psp_exceptions (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  deposit_id TEXT,
  trader_id TEXT,
  reference TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('success', 'failed')),
  amount TEXT,
  currency TEXT,
  repeats INTEGER NOT NULL DEFAULT 0,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed')),
  closed_by TEXT,
  closed_at INTEGER,
  close_reason TEXT,
  booked_by_deposit_id TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reason TEXT NOT NULL DEFAULT 'secret_left' CHECK (reason IN (
    'amount', 'currency', 'after_partial', 'contradiction', 'unannounced', 'reference_used', 'secret_left')),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES psp_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, deposit_id) REFERENCES deposits (tenant_id, id),
  FOREIGN KEY (tenant_id, booked_by_deposit_id) REFERENCES deposits (tenant_id, id)
) STRICT;
CREATE INDEX psp_exceptions_state ON psp_exceptions (tenant_id, state, created_at DESC, id DESC);
CREATE INDEX psp_exceptions_created ON psp_exceptions (tenant_id, created_at DESC, id DESC);
CREATE INDEX psp_exceptions_connection ON psp_exceptions (tenant_id, connection_id, reference);
CREATE INDEX psp_exceptions_deposit ON psp_exceptions (tenant_id, deposit_id);
CREATE INDEX psp_exceptions_booked ON psp_exceptions (tenant_id, booked_by_deposit_id);
CREATE INDEX psp_exceptions_updated ON psp_exceptions (tenant_id, updated_at, id);
CREATE INDEX psp_exceptions_trader ON psp_exceptions (tenant_id, trader_id) WHERE trader_id IS NOT NULL;

-- Where a client’s money may go. The fingerprint tells that two clients name the same place. Of a card it is the scheme
-- and the last four digits in plain letters, since a digest of a card number is worked out in a second.
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
  -- Who entered destinations that a merge made one with this.
  also_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(also_by)),
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX payout_destinations_shared ON payout_destinations (tenant_id, fingerprint);
CREATE INDEX payout_destinations_author ON payout_destinations (tenant_id, created_by);
-- Another holder is another destination: what was approved is what was read.
CREATE UNIQUE INDEX payout_destinations_once
  ON payout_destinations (tenant_id, trader_id, fingerprint, coalesce(holder, ''));

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
  -- Who must approve is known when the money is asked for, and can only become stricter: a rate or a threshold set
  -- later does not undo it.
  asked_large INTEGER NOT NULL DEFAULT 0 CHECK (asked_large IN (0, 1)),
  -- An approval that is not paid within seven days goes back; from then on nobody knows whether the money left.
  lapsed_at INTEGER,
  -- The payment’s reference as it is compared; it pays one withdrawal of a kind of destination.
  reference_key TEXT,
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
CREATE INDEX withdrawals_approved ON withdrawals (approved_at) WHERE status = 'approved';
CREATE INDEX withdrawals_requested_by ON withdrawals (tenant_id, requested_by, created_at);
CREATE INDEX withdrawals_updated ON withdrawals (tenant_id, updated_at, id);
-- Money by the day it left, answered from the index alone.
CREATE INDEX withdrawals_paid ON withdrawals (tenant_id, paid_at, currency, amount) WHERE paid_at IS NOT NULL;
CREATE INDEX withdrawals_amount ON withdrawals (tenant_id, currency, amount, id);
CREATE INDEX withdrawals_payment ON withdrawals (tenant_id, payment_reference) WHERE payment_reference IS NOT NULL;
CREATE INDEX withdrawals_reference ON withdrawals (tenant_id, reference_key) WHERE reference_key IS NOT NULL;

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
CREATE UNIQUE INDEX withdrawal_decisions_once ON withdrawal_decisions (tenant_id, withdrawal_id, user_id)
  WHERE void = 0;
CREATE INDEX withdrawal_decisions_user ON withdrawal_decisions (tenant_id, user_id);
CREATE INDEX withdrawal_decisions_withdrawal ON withdrawal_decisions (tenant_id, withdrawal_id);

-- A transfer to or from a trading account is an instruction that the platform books or refuses.
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
  -- Whose words the note is: those of staff are for colleagues.
  by_trader INTEGER NOT NULL DEFAULT 0 CHECK (by_trader IN (0, 1)),
  state TEXT NOT NULL DEFAULT 'booked' CHECK (state IN ('sent', 'booked', 'refused')),
  created_by TEXT,
  acknowledged_by TEXT,
  acknowledged_at INTEGER,
  platform_reference TEXT,
  refusal_reason TEXT,
  to_trader_id TEXT,
  updated_at INTEGER NOT NULL DEFAULT 0,
  -- Whether the platform’s own bridge acknowledged it.
  by_bridge INTEGER NOT NULL DEFAULT 0 CHECK (by_bridge IN (0, 1)),
  -- When the platform’s bridge said the opposite of what a person had said for it.
  contradicted_at INTEGER,
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
CREATE INDEX transfers_author ON transfers (tenant_id, created_by, created_at) WHERE created_by IS NOT NULL;
CREATE INDEX transfers_state ON transfers (tenant_id, state, created_at DESC, id DESC);
CREATE INDEX transfers_updated ON transfers (tenant_id, updated_at, id);
CREATE INDEX transfers_contradicted ON transfers (tenant_id, contradicted_at) WHERE contradicted_at IS NOT NULL;
CREATE INDEX transfers_to_trader ON transfers (tenant_id, to_trader_id) WHERE to_trader_id IS NOT NULL;
CREATE INDEX transfers_amount ON transfers (tenant_id, from_currency, from_amount, id);
CREATE INDEX transfers_currency ON transfers (tenant_id, from_currency, created_at DESC, id DESC);
-- A transfer is found by the reference that the firm gave it, and by the one that the platform knows it by.
CREATE INDEX transfers_reference ON transfers (tenant_id, reference);
CREATE INDEX transfers_platform_reference ON transfers (tenant_id, platform_reference)
  WHERE platform_reference IS NOT NULL;

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
CREATE INDEX adjustments_updated ON adjustments (tenant_id, updated_at, id);
CREATE INDEX adjustments_amount ON adjustments (tenant_id, currency, amount, id);
CREATE INDEX adjustments_currency ON adjustments (tenant_id, currency, created_at DESC, id DESC);

-- ── Leads and ad platforms ──────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE leads (
  rid INTEGER PRIMARY KEY,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  email TEXT,
  phone TEXT,
  first_name TEXT,
  last_name TEXT,
  country TEXT,
  language TEXT,
  status TEXT NOT NULL DEFAULT 'new'
    CHECK (status IN ('new', 'contacted', 'nurture', 'qualified', 'converted', 'unqualified', 'junk')),
  source TEXT,
  campaign TEXT,
  lead_gen_id TEXT,
  assigned_to TEXT,
  trader_id TEXT,
  note TEXT,
  metadata TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(metadata)),
  converted_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  email_by TEXT,
  -- Whether somebody changed the address, not only entered it.
  email_changed INTEGER NOT NULL DEFAULT 0 CHECK (email_changed IN (0, 1)),
  affiliate_id TEXT,
  affiliate_via TEXT CHECK (affiliate_via IN ('code', 'click')),
  UNIQUE (tenant_id, id),
  FOREIGN KEY (tenant_id, assigned_to) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  CHECK ((status = 'converted') = (trader_id IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX leads_lead_gen ON leads (tenant_id, lead_gen_id) WHERE lead_gen_id IS NOT NULL;
CREATE INDEX leads_email ON leads (tenant_id, email) WHERE email IS NOT NULL;
CREATE INDEX leads_phone ON leads (tenant_id, phone) WHERE phone IS NOT NULL;
CREATE INDEX leads_created ON leads (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX leads_status ON leads (tenant_id, status, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX leads_assigned ON leads (tenant_id, assigned_to, created_at DESC, id DESC);
CREATE INDEX leads_trader ON leads (tenant_id, trader_id);
CREATE INDEX leads_updated ON leads (tenant_id, updated_at, id);

CREATE VIRTUAL TABLE leads_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER leads_search_insert AFTER INSERT ON leads BEGIN
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE TRIGGER leads_search_update AFTER UPDATE OF first_name, last_name, email ON leads BEGIN
  DELETE FROM leads_search WHERE rowid = OLD.rid;
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;

CREATE VIRTUAL TABLE leads_phones USING fts5 (
  runs, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TRIGGER leads_phones_insert AFTER INSERT ON leads WHEN NEW.phone IS NOT NULL BEGIN
  INSERT INTO leads_phones (rowid, runs)
  VALUES (NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12))
    WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3));
END;
CREATE TRIGGER leads_phones_update AFTER UPDATE OF phone ON leads BEGIN
  DELETE FROM leads_phones WHERE rowid = OLD.rid;
  INSERT INTO leads_phones (rowid, runs)
  SELECT NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12))
    WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3)
  WHERE NEW.phone IS NOT NULL;
END;

-- Connections to ad platforms, what the platforms told of new leads, and the fetching of older ones.
CREATE TABLE ad_connections (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  platform TEXT NOT NULL CHECK (platform IN ('social')),
  name TEXT NOT NULL,
  credentials BLOB NOT NULL,
  -- A keyed hash of the verify token: the platform’s handshake names nothing else.
  verify_hash TEXT,
  -- A keyed hash of the app secret: one that many connections have is tried once.
  secret_hash TEXT,
  ad_account_id TEXT,
  page_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(page_ids)),
  pixel_id TEXT,
  dataset_id TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'error', 'disabled')),
  last_error TEXT,
  tested_at INTEGER,
  last_lead_at INTEGER,
  -- Until when the platform wants not to be asked, and how often in a row it said so.
  wait_until INTEGER NOT NULL DEFAULT 0,
  throttles INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE INDEX ad_connections_created ON ad_connections (tenant_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX ad_connections_updated ON ad_connections (tenant_id, updated_at, id);
CREATE INDEX ad_connections_verify ON ad_connections (verify_hash) WHERE verify_hash IS NOT NULL;
CREATE INDEX ad_connections_secret ON ad_connections (secret_hash) WHERE secret_hash IS NOT NULL;

-- The pages of the connections that are there, kept by triggers: a notification names pages and no firm.
CREATE TABLE ad_pages (
  page_id TEXT NOT NULL,
  tenant_id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  -- When a notification of the page last bore the connection’s signature.
  believed_at INTEGER,
  PRIMARY KEY (page_id, tenant_id, connection_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES ad_connections (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ad_pages_connection ON ad_pages (tenant_id, connection_id);
CREATE TRIGGER ad_pages_insert AFTER INSERT ON ad_connections BEGIN
  INSERT OR IGNORE INTO ad_pages (page_id, tenant_id, connection_id)
    SELECT value, NEW.tenant_id, NEW.id FROM json_each(NEW.page_ids) WHERE NEW.deleted_at IS NULL;
END;
CREATE TRIGGER ad_pages_update AFTER UPDATE OF page_ids, deleted_at ON ad_connections BEGIN
  DELETE FROM ad_pages WHERE tenant_id = NEW.tenant_id AND connection_id = NEW.id
    AND (NEW.deleted_at IS NOT NULL OR page_id NOT IN (SELECT value FROM json_each(NEW.page_ids)));
  INSERT OR IGNORE INTO ad_pages (page_id, tenant_id, connection_id)
    SELECT value, NEW.tenant_id, NEW.id FROM json_each(NEW.page_ids) WHERE NEW.deleted_at IS NULL;
END;
CREATE TRIGGER ad_pages_secret AFTER UPDATE OF secret_hash
  ON ad_connections
WHEN NEW.secret_hash IS NOT OLD.secret_hash BEGIN
  UPDATE ad_pages SET believed_at = NULL WHERE tenant_id = NEW.tenant_id AND connection_id = NEW.id;
END;

CREATE TABLE ad_notifications (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  page_id TEXT NOT NULL,
  form_id TEXT,
  lead_gen_id TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'done', 'failed')),
  lead_id TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  last_error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  PRIMARY KEY (tenant_id, id),
  -- The platform tells the same lead again for up to 36 hours.
  UNIQUE (tenant_id, connection_id, lead_gen_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES ad_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id)
) STRICT;
CREATE INDEX ad_notifications_due ON ad_notifications (tenant_id, connection_id, next_attempt_at)
  WHERE status = 'pending';
CREATE INDEX ad_notifications_created ON ad_notifications (created_at);
CREATE INDEX ad_notifications_lead ON ad_notifications (tenant_id, lead_id);

CREATE TABLE ad_backfills (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  form_id TEXT NOT NULL,
  since INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'waiting', 'done', 'failed')),
  fetched INTEGER NOT NULL DEFAULT 0,
  created INTEGER NOT NULL DEFAULT 0,
  duplicates INTEGER NOT NULL DEFAULT 0,
  failed INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  -- Where the platform’s list goes on; written in one transaction with the leads before it.
  cursor TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  asked_by TEXT,
  finished_at INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES ad_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, asked_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX ad_backfills_open ON ad_backfills (tenant_id, connection_id, form_id)
  WHERE status IN ('running', 'waiting');
CREATE INDEX ad_backfills_connection ON ad_backfills (tenant_id, connection_id, created_at DESC, id DESC);
CREATE INDEX ad_backfills_asked_by ON ad_backfills (tenant_id, asked_by);

-- ── Introducing brokers ─────────────────────────────────────────────────────────────────────────────────────────────

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

-- Whose a code is, or was until it was given up: for 90 days nobody else gets it. The code is in small letters.
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

-- What an affiliate earned by is looked up by time, so every change of it is a row.
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

CREATE TABLE commission_runs (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  -- Days of the firm’s zone, the last one exclusive, and the same as instants.
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
  -- The months that it computed, each with the affiliates whose month lacked a rate.
  months TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(months)),
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
  -- The client behind it; nobody in particular for a month’s share of revenue.
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
CREATE UNIQUE INDEX commission_lines_source
  ON commission_lines (tenant_id, source, affiliate_id, level, model, revision, contra);
CREATE INDEX commission_lines_affiliate ON commission_lines (tenant_id, affiliate_id, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_occurred ON commission_lines (tenant_id, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_run ON commission_lines (tenant_id, run_id);
CREATE INDEX commission_lines_trader ON commission_lines (tenant_id, trader_id);
-- For filters that few lines match: without them all lines of the firm, or of an affiliate, are read for a page.
CREATE INDEX commission_lines_model ON commission_lines (tenant_id, model, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_type ON commission_lines (tenant_id, source_type, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_affiliate_model
  ON commission_lines (tenant_id, affiliate_id, model, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_affiliate_type
  ON commission_lines (tenant_id, affiliate_id, source_type, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_plan ON commission_lines (tenant_id, plan_version_id, affiliate_id, created_at);
CREATE TRIGGER commission_lines_fixed BEFORE UPDATE OF amount, currency, affiliate_id, source, revision, contra
  ON commission_lines
  BEGIN SELECT RAISE(ABORT, 'commission lines are append-only'); END;
CREATE TRIGGER commission_lines_kept BEFORE DELETE ON commission_lines
  BEGIN SELECT RAISE(ABORT, 'commission lines are append-only'); END;

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
  -- When nothing was left unpaid: what was earned before is paid, so whose terms it was does not matter any more.
  paid_up_at INTEGER NOT NULL DEFAULT 0,
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
  -- Payouts take the tiers of the approval policy: who voted, as which role and when.
  votes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(votes)),
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
CREATE INDEX affiliate_payouts_amount ON affiliate_payouts (tenant_id, currency, amount, id);

-- ── Moving in ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
  -- The line up to which the present work has come; written in one transaction with what was done of it.
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
  -- 1: the texts of lines that made nothing are gone; 2: so are the lines and their mistakes.
  forgotten INTEGER NOT NULL DEFAULT 0 CHECK (forgotten IN (0, 1, 2)),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, created_by) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, confirmed_by) REFERENCES users (tenant_id, id),
  FOREIGN KEY (tenant_id, undone_by) REFERENCES users (tenant_id, id)
) STRICT;
-- One file at a time: two would not see each other’s addresses.
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
  status TEXT NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'ready', 'refused', 'known', 'done', 'undone', 'left')),
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
