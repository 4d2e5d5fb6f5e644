-- KYC submissions with their documents, sanctions lists and hits, leads, support tickets, positions.

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
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, decided_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX kyc_submissions_open ON kyc_submissions (tenant_id, trader_id) WHERE status = 'requested';
CREATE INDEX kyc_submissions_created ON kyc_submissions (tenant_id, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_status ON kyc_submissions (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_trader ON kyc_submissions (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX kyc_submissions_decider ON kyc_submissions (tenant_id, decided_by);

-- The bytes lie sealed in files.db under the file's key.
CREATE TABLE kyc_documents (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  submission_id TEXT,
  file_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('passport', 'identity_card', 'driving_licence', 'residence_permit', 'proof_of_address', 'selfie', 'source_of_funds', 'other')),
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
  PRIMARY KEY (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sanctions_lists_current ON sanctions_lists (tenant_id, source) WHERE current = 1;
CREATE INDEX sanctions_lists_created ON sanctions_lists (tenant_id, created_at DESC, id DESC);

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
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, decided_by) REFERENCES users (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX sanctions_hits_once ON sanctions_hits (tenant_id, trader_id, source, reference);
CREATE INDEX sanctions_hits_created ON sanctions_hits (tenant_id, created_at DESC, id DESC);
CREATE INDEX sanctions_hits_status ON sanctions_hits (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX sanctions_hits_trader ON sanctions_hits (tenant_id, trader_id, status);
CREATE INDEX sanctions_hits_decider ON sanctions_hits (tenant_id, decided_by);

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
  status TEXT NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'contacted', 'nurture', 'qualified', 'converted', 'unqualified', 'junk')),
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
CREATE VIRTUAL TABLE leads_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER leads_search_insert AFTER INSERT ON leads BEGIN
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.id));
END;
CREATE TRIGGER leads_search_update AFTER UPDATE OF first_name, last_name, email, phone ON leads BEGIN
  DELETE FROM leads_search WHERE rowid = OLD.rid;
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email, NEW.phone, NEW.id));
END;

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
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id),
  FOREIGN KEY (tenant_id, assigned_to) REFERENCES users (tenant_id, id)
) STRICT;
CREATE INDEX tickets_created ON tickets (tenant_id, created_at DESC, id DESC);
CREATE INDEX tickets_status ON tickets (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX tickets_trader ON tickets (tenant_id, trader_id, created_at DESC, id DESC);
CREATE INDEX tickets_assigned ON tickets (tenant_id, assigned_to, created_at DESC, id DESC);
-- what the SLA job and the overdue list look at
CREATE INDEX tickets_reply_due ON tickets (tenant_id, first_reply_due_at) WHERE status IN ('open', 'pending') AND first_replied_at IS NULL;
CREATE INDEX tickets_resolution_due ON tickets (tenant_id, resolution_due_at) WHERE status IN ('open', 'pending');

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
  currency TEXT NOT NULL,
  profit INTEGER NOT NULL CHECK (profit BETWEEN -9007199254740991 AND 9007199254740991),
  swap INTEGER NOT NULL DEFAULT 0 CHECK (swap BETWEEN -9007199254740991 AND 9007199254740991),
  commission INTEGER NOT NULL DEFAULT 0 CHECK (commission BETWEEN -9007199254740991 AND 9007199254740991),
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed')),
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
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
-- covers the heatmap: it never touches the rows
CREATE INDEX positions_open ON positions (tenant_id, symbol, side, volume, trader_id) WHERE status = 'open';

-- The last sequence taken from each platform server: a repeat or an older one changes nothing.
CREATE TABLE position_streams (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  platform TEXT NOT NULL,
  server TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, platform, server)
) STRICT, WITHOUT ROWID;
