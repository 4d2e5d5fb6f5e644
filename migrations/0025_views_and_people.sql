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

-- What people did, also by keys of theirs, is a small part of the log: bridges report every few seconds.
CREATE INDEX audit_people ON audit (tenant_id, seq DESC)
  WHERE actor_kind NOT IN ('system', 'gateway') AND action NOT IN ('position.sync', 'account.sync');
