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
