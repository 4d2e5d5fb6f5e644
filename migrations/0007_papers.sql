-- Screening fails closed. A list is current from its loading on and holds money back until everybody was compared with it; the entries of the list
-- before stay that long, so that it can be current again where the screening fails.
ALTER TABLE sanctions_lists ADD COLUMN status TEXT NOT NULL DEFAULT 'screening' CHECK (status IN ('screening', 'screened', 'replaced', 'failed'));
ALTER TABLE sanctions_lists ADD COLUMN replaces TEXT;
ALTER TABLE sanctions_lists ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sanctions_lists ADD COLUMN began_at INTEGER;
ALTER TABLE sanctions_lists ADD COLUMN failure TEXT;
UPDATE sanctions_lists SET status = CASE WHEN current = 0 THEN 'replaced' WHEN screened_at IS NULL THEN 'screening' ELSE 'screened' END;
CREATE INDEX sanctions_lists_status ON sanctions_lists (tenant_id, status);

-- Traders who, as changed last, were not compared with the current lists yet. Kept by the database itself, so that no way of changing a trader
-- can forget it; `mark` grows with every change, and only the change that was screened is taken off.
CREATE TABLE sanctions_due (
  tenant_id TEXT NOT NULL,
  trader_id TEXT NOT NULL,
  mark INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (tenant_id, trader_id),
  FOREIGN KEY (tenant_id, trader_id) REFERENCES traders (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE TRIGGER traders_screen_insert AFTER INSERT ON traders
WHEN EXISTS (SELECT 1 FROM sanctions_lists WHERE tenant_id = NEW.tenant_id AND current = 1) BEGIN
  INSERT INTO sanctions_due (tenant_id, trader_id) VALUES (NEW.tenant_id, NEW.id)
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET mark = mark + 1;
END;
CREATE TRIGGER traders_screen_update AFTER UPDATE OF first_name, last_name, date_of_birth, country ON traders
WHEN (OLD.first_name IS NOT NEW.first_name OR OLD.last_name IS NOT NEW.last_name
    OR OLD.date_of_birth IS NOT NEW.date_of_birth OR OLD.country IS NOT NEW.country)
  AND EXISTS (SELECT 1 FROM sanctions_lists WHERE tenant_id = NEW.tenant_id AND current = 1) BEGIN
  INSERT INTO sanctions_due (tenant_id, trader_id) VALUES (NEW.tenant_id, NEW.id)
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET mark = mark + 1;
END;
-- Who was changed since the last look of the job, which went by events until now.
INSERT OR IGNORE INTO sanctions_due (tenant_id, trader_id)
  SELECT events.tenant_id, events.trader_id FROM events
    JOIN job_state ON job_state.name = 'sanctions.position.' || events.tenant_id
    JOIN traders ON traders.tenant_id = events.tenant_id AND traders.id = events.trader_id
  WHERE events.position > CAST(job_state.value AS INTEGER) AND events.event IN ('trader.created', 'trader.updated');
DELETE FROM job_state WHERE name LIKE 'sanctions.position.%';

-- Uploads that are not part of a record yet: what a quota counts.
CREATE INDEX files_open ON files (tenant_id, trader_id) WHERE status <> 'attached';

-- Bytes that uploads take, announced ones included, for a firm (trader_id '') and for each of its clients: a quota must not count a large firm's
-- files one by one. Kept by the database itself.
CREATE TABLE file_usage (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  trader_id TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, trader_id)
) STRICT, WITHOUT ROWID;
INSERT INTO file_usage (tenant_id, trader_id, bytes) SELECT tenant_id, '', sum(size) FROM files GROUP BY tenant_id;
INSERT INTO file_usage (tenant_id, trader_id, bytes)
  SELECT tenant_id, trader_id, sum(size) FROM files WHERE trader_id IS NOT NULL GROUP BY tenant_id, trader_id;
CREATE TRIGGER files_usage_insert AFTER INSERT ON files BEGIN
  INSERT INTO file_usage (tenant_id, trader_id, bytes)
    SELECT NEW.tenant_id, value, NEW.size FROM json_each(json_array('', NEW.trader_id)) WHERE value IS NOT NULL
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER files_usage_delete AFTER DELETE ON files BEGIN
  UPDATE file_usage SET bytes = bytes - OLD.size WHERE tenant_id = OLD.tenant_id AND trader_id IN ('', OLD.trader_id);
END;
CREATE TRIGGER files_usage_update AFTER UPDATE OF trader_id, size ON files
WHEN OLD.trader_id IS NOT NEW.trader_id OR OLD.size <> NEW.size BEGIN
  UPDATE file_usage SET bytes = bytes - OLD.size WHERE tenant_id = OLD.tenant_id AND trader_id IN ('', OLD.trader_id);
  INSERT INTO file_usage (tenant_id, trader_id, bytes)
    SELECT NEW.tenant_id, value, NEW.size FROM json_each(json_array('', NEW.trader_id)) WHERE value IS NOT NULL
    ON CONFLICT (tenant_id, trader_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;

-- A catalogue that a firm set itself: signs of forgery take back what was approved before, as in the one that firms start with.
UPDATE tenant_settings SET value = json_object('reasons', json((
  SELECT json_group_array(json(CASE WHEN reason.value ->> 'code' IN ('forged', 'suspected_forgery') AND reason.value ->> 'kind' = 'final'
    THEN json_set(reason.value, '$.revokes', json('true')) ELSE reason.value END))
  FROM json_each(tenant_settings.value, '$.reasons') AS reason))) WHERE id = 'kyc_reject_reasons';
