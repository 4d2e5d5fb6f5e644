-- What proves that every row is one that this program wrote: the digests of all tables, renewed in each transaction,
-- sealed with the key of the installation so that nobody else can read or make them.
CREATE TABLE table_seals (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed BLOB NOT NULL
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
