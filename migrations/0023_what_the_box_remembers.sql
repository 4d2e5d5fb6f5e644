-- What the installation itself must remember, in no tenant: one fact a name, as JSON.
CREATE TABLE box_facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL CHECK (json_valid(value)),
  noted_at INTEGER NOT NULL
) STRICT;
