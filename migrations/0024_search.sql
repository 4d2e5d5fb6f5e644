-- A phone is found by any four or more of its digits. Every run of four digits is a token of the number's document,
-- and the last four once more behind a letter, since people say those: who ends so comes first. Rows are looked at
-- for all digits that were typed. Each token begins with the tenant, so that a match never leaves it and never walks
-- over a list that all clients share. Ids and whole numbers are no words of the text any more: both are looked up.
DROP TRIGGER traders_search_insert;
DROP TRIGGER traders_search_update;
DROP TABLE traders_search;
CREATE VIRTUAL TABLE traders_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER traders_search_insert AFTER INSERT ON traders BEGIN
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE TRIGGER traders_search_update AFTER UPDATE OF first_name, last_name, email ON traders BEGIN
  DELETE FROM traders_search WHERE rowid = OLD.rid;
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE VIRTUAL TABLE traders_phones USING fts5 (
  runs, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TRIGGER traders_phones_insert AFTER INSERT ON traders WHEN NEW.phone IS NOT NULL BEGIN
  INSERT INTO traders_phones (rowid, runs)
  VALUES (NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3));
END;
CREATE TRIGGER traders_phones_update AFTER UPDATE OF phone ON traders BEGIN
  DELETE FROM traders_phones WHERE rowid = OLD.rid;
  INSERT INTO traders_phones (rowid, runs)
  SELECT NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3)
  WHERE NEW.phone IS NOT NULL;
END;
INSERT INTO traders_search (rowid, tenant, text)
SELECT rid, tenant_id, concat_ws(' ', first_name, last_name, email) FROM traders ORDER BY rid;
INSERT INTO traders_phones (rowid, runs)
SELECT rid, (SELECT group_concat(traders.tenant_id || '_' || substr(ltrim(traders.phone, '+'), column1, 4), ' ')
      || ' ' || traders.tenant_id || '_z' || substr(traders.phone, -4)
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(traders.phone, '+')) - 3)
FROM traders WHERE phone IS NOT NULL ORDER BY rid;

DROP TRIGGER leads_search_insert;
DROP TRIGGER leads_search_update;
DROP TABLE leads_search;
CREATE VIRTUAL TABLE leads_search USING fts5 (
  tenant, text, content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '_'", prefix = '2 3'
);
CREATE TRIGGER leads_search_insert AFTER INSERT ON leads BEGIN
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE TRIGGER leads_search_update AFTER UPDATE OF first_name, last_name, email ON leads BEGIN
  DELETE FROM leads_search WHERE rowid = OLD.rid;
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id, concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email));
END;
CREATE VIRTUAL TABLE leads_phones USING fts5 (
  runs, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
);
CREATE TRIGGER leads_phones_insert AFTER INSERT ON leads WHEN NEW.phone IS NOT NULL BEGIN
  INSERT INTO leads_phones (rowid, runs)
  VALUES (NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3));
END;
CREATE TRIGGER leads_phones_update AFTER UPDATE OF phone ON leads BEGIN
  DELETE FROM leads_phones WHERE rowid = OLD.rid;
  INSERT INTO leads_phones (rowid, runs)
  SELECT NEW.rid, (SELECT group_concat(NEW.tenant_id || '_' || substr(ltrim(NEW.phone, '+'), column1, 4), ' ')
      || ' ' || NEW.tenant_id || '_z' || substr(NEW.phone, -4)
    FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(NEW.phone, '+')) - 3)
  WHERE NEW.phone IS NOT NULL;
END;
INSERT INTO leads_search (rowid, tenant, text)
SELECT rid, tenant_id, concat_ws(' ', first_name, last_name, email) FROM leads ORDER BY rid;
INSERT INTO leads_phones (rowid, runs)
SELECT rid, (SELECT group_concat(leads.tenant_id || '_' || substr(ltrim(leads.phone, '+'), column1, 4), ' ')
      || ' ' || leads.tenant_id || '_z' || substr(leads.phone, -4)
  FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)) WHERE column1 <= length(ltrim(leads.phone, '+')) - 3)
FROM leads WHERE phone IS NOT NULL ORDER BY rid;

-- Written in one go, each is in many pieces; in one it is asked the quickest.
INSERT INTO traders_search (traders_search) VALUES ('optimize');
INSERT INTO traders_phones (traders_phones) VALUES ('optimize');
INSERT INTO leads_search (leads_search) VALUES ('optimize');
INSERT INTO leads_phones (leads_phones) VALUES ('optimize');
