-- When somebody must act on a ticket, for the order of the inbox: the first reply until there is one, then the resolution. A ticket whose clocks
-- stand, or that is done, comes last. The same rule as nextDue() in sla.ts.
ALTER TABLE tickets ADD COLUMN due_order INTEGER GENERATED ALWAYS AS (
  CASE WHEN status = 'open'
    THEN coalesce(CASE WHEN first_replied_at IS NULL THEN first_reply_due_at END, resolution_due_at, 9007199254740991)
    ELSE 9007199254740991 END
) VIRTUAL;

CREATE INDEX tickets_due ON tickets (tenant_id, due_order, id);
CREATE INDEX tickets_status_due ON tickets (tenant_id, status, due_order, id);
-- What the watch over the deadlines looks at, of all firms.
CREATE INDEX tickets_watched ON tickets (due_order, tenant_id, id) WHERE status = 'open' AND breached_at IS NULL;
DROP INDEX tickets_reply_due;
DROP INDEX tickets_resolution_due;

CREATE INDEX accounts_currency ON accounts (tenant_id, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX accounts_platform ON accounts (tenant_id, platform, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- The two together: a firm has three platforms and three currencies, and a pair that nobody has would be searched for among all of one.
CREATE INDEX accounts_platform_currency ON accounts (tenant_id, platform, currency, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- Segments and tags by the traders' integer key: those of a common tag are then read in the order of a list and no further than its page.
DROP TRIGGER traders_labels_insert;
DROP TRIGGER traders_labels_update;
DROP TABLE trader_labels;
CREATE TABLE trader_labels (
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('segment', 'tag')),
  value TEXT NOT NULL,
  trader_rid INTEGER NOT NULL,
  trader_id TEXT NOT NULL,
  PRIMARY KEY (tenant_id, kind, value, trader_rid),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX trader_labels_trader ON trader_labels (tenant_id, trader_id);
INSERT OR IGNORE INTO trader_labels SELECT tenant_id, 'segment', value, rid, traders.id FROM traders, json_each(segments);
INSERT OR IGNORE INTO trader_labels SELECT tenant_id, 'tag', value, rid, traders.id FROM traders, json_each(tags);
CREATE TRIGGER traders_labels_insert AFTER INSERT ON traders WHEN NEW.segments <> '[]' OR NEW.tags <> '[]' BEGIN
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'segment', value, NEW.rid, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.rid, NEW.id FROM json_each(NEW.tags);
END;
CREATE TRIGGER traders_labels_update AFTER UPDATE OF segments, tags ON traders
WHEN NEW.segments <> OLD.segments OR NEW.tags <> OLD.tags BEGIN
  DELETE FROM trader_labels WHERE tenant_id = NEW.tenant_id AND trader_id = NEW.id;
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'segment', value, NEW.rid, NEW.id FROM json_each(NEW.segments);
  INSERT OR IGNORE INTO trader_labels SELECT NEW.tenant_id, 'tag', value, NEW.rid, NEW.id FROM json_each(NEW.tags);
END;
