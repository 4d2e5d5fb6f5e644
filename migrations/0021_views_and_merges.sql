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

-- Two rows of one person become one: which, by whom, and what moved. A client is merged away once.
ALTER TABLE traders ADD COLUMN merged_into TEXT;
CREATE INDEX traders_merged ON traders (tenant_id, merged_into) WHERE merged_into IS NOT NULL;
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

-- Whose an account was before it moved by merges: who brought a client counts by the client of the time.
ALTER TABLE accounts ADD COLUMN first_trader_id TEXT;

-- What a merge finds by the client that it names.
CREATE INDEX transfers_to_trader ON transfers (tenant_id, to_trader_id) WHERE to_trader_id IS NOT NULL;
CREATE INDEX psp_exceptions_trader ON psp_exceptions (tenant_id, trader_id) WHERE trader_id IS NOT NULL;

-- The header of the list of clients is counted over this index alone.
CREATE INDEX traders_counted ON traders (tenant_id, status, kyc_status, kyc_level, risk_level) WHERE deleted_at IS NULL;

-- Covers the counts of an affiliate's clients: with the deleted ones in it every client's row would be read.
DROP INDEX traders_affiliate;
CREATE INDEX traders_affiliate ON traders (tenant_id, affiliate_id, created_at DESC, id DESC)
  WHERE affiliate_id IS NOT NULL AND deleted_at IS NULL;
-- For filters that few lines match: without them all lines of the firm, or of an affiliate, are read for a page.
CREATE INDEX commission_lines_model ON commission_lines (tenant_id, model, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_type ON commission_lines (tenant_id, source_type, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_affiliate_model ON commission_lines (tenant_id, affiliate_id, model, occurred_at DESC, id DESC);
CREATE INDEX commission_lines_affiliate_type ON commission_lines (tenant_id, affiliate_id, source_type, occurred_at DESC, id DESC);
