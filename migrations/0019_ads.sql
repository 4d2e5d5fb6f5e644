-- Connections to ad platforms, what the platforms told of new leads, and the fetching of older ones.
CREATE TABLE ad_connections (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  platform TEXT NOT NULL CHECK (platform IN ('social')),
  name TEXT NOT NULL,
  credentials BLOB NOT NULL,
  -- a keyed hash of the verify token: the platform's handshake names nothing else
  verify_hash TEXT,
  -- a keyed hash of the app secret: one that many connections have is tried once
  secret_hash TEXT,
  ad_account_id TEXT,
  page_ids TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(page_ids)),
  pixel_id TEXT,
  dataset_id TEXT,
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'error', 'disabled')),
  last_error TEXT,
  tested_at INTEGER,
  last_lead_at INTEGER,
  -- until when the platform wants not to be asked, and how often in a row it said so
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
  -- when a notification of the page last bore the connection's signature
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

CREATE TRIGGER ad_pages_secret AFTER UPDATE OF secret_hash ON ad_connections WHEN NEW.secret_hash IS NOT OLD.secret_hash BEGIN
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
  -- the platform tells the same lead again for up to 36 hours
  UNIQUE (tenant_id, connection_id, lead_gen_id),
  FOREIGN KEY (tenant_id, connection_id) REFERENCES ad_connections (tenant_id, id),
  FOREIGN KEY (tenant_id, lead_id) REFERENCES leads (tenant_id, id)
) STRICT;
CREATE INDEX ad_notifications_due ON ad_notifications (tenant_id, connection_id, next_attempt_at) WHERE status = 'pending';
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
  -- where the platform's list goes on; written in one transaction with the leads before it
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
CREATE UNIQUE INDEX ad_backfills_open ON ad_backfills (tenant_id, connection_id, form_id) WHERE status IN ('running', 'waiting');
CREATE INDEX ad_backfills_connection ON ad_backfills (tenant_id, connection_id, created_at DESC, id DESC);
CREATE INDEX ad_backfills_asked_by ON ad_backfills (tenant_id, asked_by);
