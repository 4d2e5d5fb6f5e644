-- When the secret of a gateway was entered: known where nothing was changed since it was connected.
ALTER TABLE psp_connections ADD COLUMN secret_at INTEGER;
UPDATE psp_connections SET secret_at = created_at WHERE version = 1;

-- One more reason: whoever entered the secret of the gateway is not an active colleague any more.
ALTER TABLE psp_exceptions ADD COLUMN reason_now TEXT NOT NULL DEFAULT 'secret_left'
  CHECK (reason_now IN ('amount', 'currency', 'after_partial', 'contradiction', 'unannounced', 'reference_used', 'secret_left'));
UPDATE psp_exceptions SET reason_now = reason;
ALTER TABLE psp_exceptions DROP COLUMN reason;
ALTER TABLE psp_exceptions RENAME COLUMN reason_now TO reason;
