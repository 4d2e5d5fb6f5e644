-- A transfer changes when the platform books or refuses it, so it can be read by change like every other row that does.
ALTER TABLE transfers ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
UPDATE transfers SET updated_at = coalesce(acknowledged_at, created_at);
CREATE INDEX transfers_updated ON transfers (tenant_id, updated_at, id);
