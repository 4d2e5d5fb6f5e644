-- What a firm has set for itself: time zone, currency, conversions, platforms, security. One JSON object, checked in code.
ALTER TABLE tenants ADD COLUMN settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(settings));
