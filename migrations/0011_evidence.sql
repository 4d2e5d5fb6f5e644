-- The last entry of each firm's audit log, sealed under the firm's key with every commit: a tail that is cut off is missed. From `firm_key_from` on
-- entries are signed with the firm's key, before it with the box's.
CREATE TABLE audit_heads (
  tenant_id TEXT PRIMARY KEY REFERENCES tenants (id),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  firm_key_from INTEGER NOT NULL,
  mac TEXT NOT NULL
) STRICT;

-- Whose clear text was erased, one by one. The program signs what it erases; a removal by another hand has no signature.
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
-- What was erased before this version cannot be told from what was removed: it counts as erased, signed at the next start.
INSERT INTO audit_erasures (tenant_id, seq)
  SELECT a.tenant_id, a.seq FROM audit a LEFT JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq WHERE d.seq IS NULL;
