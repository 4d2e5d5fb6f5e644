-- The server of its platform that a trading account is on; '' where the broker never said, which means any of them.
-- Reports of a server reach its own accounts and those without a server, and a number is unique on each server.
ALTER TABLE accounts ADD COLUMN server TEXT NOT NULL DEFAULT '';
DROP INDEX accounts_number;
CREATE UNIQUE INDEX accounts_number ON accounts (tenant_id, platform, account_number, server)
  WHERE account_number IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX accounts_server ON accounts (tenant_id, server, created_at DESC, id DESC)
  WHERE server <> '' AND deleted_at IS NULL;
