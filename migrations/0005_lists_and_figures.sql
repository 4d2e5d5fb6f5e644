-- Lists are sorted by what people look for first: the largest balance, the number of an account, the newest position,
-- the ticket that was answered last.
CREATE INDEX wallets_available ON wallets (tenant_id, currency, available, id);
CREATE INDEX accounts_balance ON accounts (tenant_id, currency, balance, id);
CREATE INDEX accounts_number_order ON accounts (tenant_id, ifnull(account_number, ''), id) WHERE deleted_at IS NULL;
CREATE INDEX positions_opened ON positions (tenant_id, opened_at, id);
CREATE INDEX positions_status_opened ON positions (tenant_id, status, opened_at, id);
CREATE INDEX tickets_last_message ON tickets (tenant_id, last_message_at, id);
-- What a firm holds by currency, and the clients for whom it holds most, are read from this index alone.
CREATE INDEX wallets_totals ON wallets (tenant_id, trader_id, currency, available, held);

-- Clients are listed by family name, in small letters; who has no name yet, by address.
ALTER TABLE traders ADD COLUMN name_order TEXT GENERATED ALWAYS AS (
  lower(coalesce(nullif(trim(ifnull(last_name, '') || ' ' || ifnull(first_name, '')), ''), email, ''))
) VIRTUAL;
CREATE INDEX traders_name_order ON traders (tenant_id, name_order, id) WHERE deleted_at IS NULL;

-- What both accounts of a wallet held before a page of its statement is summed from this index alone.
DROP INDEX ledger_entries_wallet;
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC, amount, account);

-- When a client last signed in, paid in, asked for money, moved it or traded, to the hour: a client who is busy is not
-- written again for an hour. What staff do to a client does not count.
ALTER TABLE traders ADD COLUMN last_active_at INTEGER NOT NULL DEFAULT 0;
UPDATE traders SET last_active_at = max(created_at,
  coalesce((SELECT max(settled_at) FROM deposits d WHERE d.tenant_id = traders.tenant_id AND d.trader_id = traders.id), 0),
  coalesce((SELECT max(created_at) FROM withdrawals w WHERE w.tenant_id = traders.tenant_id AND w.trader_id = traders.id), 0),
  coalesce((SELECT max(created_at) FROM transfers t WHERE t.tenant_id = traders.tenant_id AND t.trader_id = traders.id), 0),
  coalesce((SELECT max(min(coalesce(closed_at, created_at), updated_at)) FROM positions p
    WHERE p.tenant_id = traders.tenant_id AND p.trader_id = traders.id), 0));
CREATE INDEX traders_active ON traders (tenant_id, last_active_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE TRIGGER traders_active_session AFTER INSERT ON sessions
WHEN NEW.trader_id IS NOT NULL AND NEW.impersonator_id IS NULL BEGIN
  UPDATE traders SET last_active_at = NEW.last_seen_at
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id AND last_active_at < NEW.last_seen_at - 3600000;
END;
CREATE TRIGGER traders_active_deposit AFTER UPDATE OF settled_at ON deposits
WHEN OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL BEGIN
  UPDATE traders SET last_active_at = NEW.settled_at
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id AND last_active_at < NEW.settled_at - 3600000;
END;
CREATE TRIGGER traders_active_withdrawal AFTER INSERT ON withdrawals BEGIN
  UPDATE traders SET last_active_at = NEW.created_at
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id AND last_active_at < NEW.created_at - 3600000;
END;
CREATE TRIGGER traders_active_transfer AFTER INSERT ON transfers BEGIN
  UPDATE traders SET last_active_at = NEW.created_at
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id AND last_active_at < NEW.created_at - 3600000;
END;
-- A platform may report a time of the future, which is not believed.
CREATE TRIGGER traders_active_opened AFTER INSERT ON positions WHEN NEW.trader_id IS NOT NULL BEGIN
  UPDATE traders SET last_active_at = min(coalesce(NEW.closed_at, NEW.opened_at), NEW.created_at)
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id
    AND last_active_at < min(coalesce(NEW.closed_at, NEW.opened_at), NEW.created_at) - 3600000;
END;
CREATE TRIGGER traders_active_closed AFTER UPDATE OF closed_at ON positions
WHEN NEW.trader_id IS NOT NULL AND OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL BEGIN
  UPDATE traders SET last_active_at = min(NEW.closed_at, NEW.updated_at)
  WHERE tenant_id = NEW.tenant_id AND id = NEW.trader_id
    AND last_active_at < min(NEW.closed_at, NEW.updated_at) - 3600000;
END;

-- The letters of a name are made plain in steps: the parser of SQLite before 3.46 cannot read one expression of them
-- all, so that the sqlite3 of Debian 12 could not open the database.
DROP TRIGGER traders_search_insert;
DROP TRIGGER traders_search_update;
CREATE TRIGGER traders_search_insert AFTER INSERT ON traders BEGIN
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id,
    CASE WHEN concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) GLOB '*[^ -~]*' THEN (WITH s0(t) AS (SELECT concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email)), s1(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ß','ss'),'ẞ','ss'),'æ','ae'),'Æ','ae'),'œ','oe'),'Œ','oe'),'þ','th'),'Þ','th'),'ł','l'),'Ł','l'),'ø','o'),'Ø','o'),'đ','d'),'Đ','d'),'ð','d'),'Ð','d') FROM s0), s2(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ħ','h'),'Ħ','h'),'ŧ','t'),'Ŧ','t'),'ı','i'),'ə','e'),'Ə','e'),'ʿ',''),'ʾ',''),'ʼ',''),'ʻ',''),'ά','α'),'Ά','α'),'έ','ε'),'Έ','ε'),'ή','η') FROM s1), s3(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'Ή','η'),'ί','ι'),'Ί','ι'),'ϊ','ι'),'Ϊ','ι'),'ΐ','ι'),'ό','ο'),'Ό','ο'),'ύ','υ'),'Ύ','υ'),'ϋ','υ'),'Ϋ','υ'),'ΰ','υ'),'ώ','ω'),'Ώ','ω'),'ς','σ') FROM s2), s4(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ё','е'),'Ё','е'),'й','и'),'Й','и'),'ї','і'),'Ї','і'),'ў','у'),'Ў','у'),'أ','ا'),'إ','ا'),'آ','ا'),'ٱ','ا'),'ى','ي'),'ی','ي'),'ئ','ي'),'ؤ','و') FROM s3), s5(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ة','ه'),'ک','ك'),'ـ',''),'ً',''),'ٌ',''),'ٍ',''),'َ',''),'ُ',''),'ِ',''),'ّ',''),'ْ',''),'ٰ',''),'ְ',''),'ֱ',''),'ֲ',''),'ֳ','') FROM s4), s6(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ִ',''),'ֵ',''),'ֶ',''),'ַ',''),'ָ',''),'ֹ',''),'ֺ',''),'ֻ',''),'ּ',''),'ׁ',''),'ׂ','') FROM s5) SELECT t FROM s6) ELSE concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) END);
END;
CREATE TRIGGER traders_search_update AFTER UPDATE OF first_name, last_name, email ON traders BEGIN
  DELETE FROM traders_search WHERE rowid = OLD.rid;
  INSERT INTO traders_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id,
    CASE WHEN concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) GLOB '*[^ -~]*' THEN (WITH s0(t) AS (SELECT concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email)), s1(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ß','ss'),'ẞ','ss'),'æ','ae'),'Æ','ae'),'œ','oe'),'Œ','oe'),'þ','th'),'Þ','th'),'ł','l'),'Ł','l'),'ø','o'),'Ø','o'),'đ','d'),'Đ','d'),'ð','d'),'Ð','d') FROM s0), s2(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ħ','h'),'Ħ','h'),'ŧ','t'),'Ŧ','t'),'ı','i'),'ə','e'),'Ə','e'),'ʿ',''),'ʾ',''),'ʼ',''),'ʻ',''),'ά','α'),'Ά','α'),'έ','ε'),'Έ','ε'),'ή','η') FROM s1), s3(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'Ή','η'),'ί','ι'),'Ί','ι'),'ϊ','ι'),'Ϊ','ι'),'ΐ','ι'),'ό','ο'),'Ό','ο'),'ύ','υ'),'Ύ','υ'),'ϋ','υ'),'Ϋ','υ'),'ΰ','υ'),'ώ','ω'),'Ώ','ω'),'ς','σ') FROM s2), s4(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ё','е'),'Ё','е'),'й','и'),'Й','и'),'ї','і'),'Ї','і'),'ў','у'),'Ў','у'),'أ','ا'),'إ','ا'),'آ','ا'),'ٱ','ا'),'ى','ي'),'ی','ي'),'ئ','ي'),'ؤ','و') FROM s3), s5(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ة','ه'),'ک','ك'),'ـ',''),'ً',''),'ٌ',''),'ٍ',''),'َ',''),'ُ',''),'ِ',''),'ّ',''),'ْ',''),'ٰ',''),'ְ',''),'ֱ',''),'ֲ',''),'ֳ','') FROM s4), s6(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ִ',''),'ֵ',''),'ֶ',''),'ַ',''),'ָ',''),'ֹ',''),'ֺ',''),'ֻ',''),'ּ',''),'ׁ',''),'ׂ','') FROM s5) SELECT t FROM s6) ELSE concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) END);
END;
DROP TRIGGER leads_search_insert;
DROP TRIGGER leads_search_update;
CREATE TRIGGER leads_search_insert AFTER INSERT ON leads BEGIN
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id,
    CASE WHEN concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) GLOB '*[^ -~]*' THEN (WITH s0(t) AS (SELECT concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email)), s1(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ß','ss'),'ẞ','ss'),'æ','ae'),'Æ','ae'),'œ','oe'),'Œ','oe'),'þ','th'),'Þ','th'),'ł','l'),'Ł','l'),'ø','o'),'Ø','o'),'đ','d'),'Đ','d'),'ð','d'),'Ð','d') FROM s0), s2(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ħ','h'),'Ħ','h'),'ŧ','t'),'Ŧ','t'),'ı','i'),'ə','e'),'Ə','e'),'ʿ',''),'ʾ',''),'ʼ',''),'ʻ',''),'ά','α'),'Ά','α'),'έ','ε'),'Έ','ε'),'ή','η') FROM s1), s3(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'Ή','η'),'ί','ι'),'Ί','ι'),'ϊ','ι'),'Ϊ','ι'),'ΐ','ι'),'ό','ο'),'Ό','ο'),'ύ','υ'),'Ύ','υ'),'ϋ','υ'),'Ϋ','υ'),'ΰ','υ'),'ώ','ω'),'Ώ','ω'),'ς','σ') FROM s2), s4(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ё','е'),'Ё','е'),'й','и'),'Й','и'),'ї','і'),'Ї','і'),'ў','у'),'Ў','у'),'أ','ا'),'إ','ا'),'آ','ا'),'ٱ','ا'),'ى','ي'),'ی','ي'),'ئ','ي'),'ؤ','و') FROM s3), s5(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ة','ه'),'ک','ك'),'ـ',''),'ً',''),'ٌ',''),'ٍ',''),'َ',''),'ُ',''),'ِ',''),'ّ',''),'ْ',''),'ٰ',''),'ְ',''),'ֱ',''),'ֲ',''),'ֳ','') FROM s4), s6(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ִ',''),'ֵ',''),'ֶ',''),'ַ',''),'ָ',''),'ֹ',''),'ֺ',''),'ֻ',''),'ּ',''),'ׁ',''),'ׂ','') FROM s5) SELECT t FROM s6) ELSE concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) END);
END;
CREATE TRIGGER leads_search_update AFTER UPDATE OF first_name, last_name, email ON leads BEGIN
  DELETE FROM leads_search WHERE rowid = OLD.rid;
  INSERT INTO leads_search (rowid, tenant, text)
  VALUES (NEW.rid, NEW.tenant_id,
    CASE WHEN concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) GLOB '*[^ -~]*' THEN (WITH s0(t) AS (SELECT concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email)), s1(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ß','ss'),'ẞ','ss'),'æ','ae'),'Æ','ae'),'œ','oe'),'Œ','oe'),'þ','th'),'Þ','th'),'ł','l'),'Ł','l'),'ø','o'),'Ø','o'),'đ','d'),'Đ','d'),'ð','d'),'Ð','d') FROM s0), s2(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ħ','h'),'Ħ','h'),'ŧ','t'),'Ŧ','t'),'ı','i'),'ə','e'),'Ə','e'),'ʿ',''),'ʾ',''),'ʼ',''),'ʻ',''),'ά','α'),'Ά','α'),'έ','ε'),'Έ','ε'),'ή','η') FROM s1), s3(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'Ή','η'),'ί','ι'),'Ί','ι'),'ϊ','ι'),'Ϊ','ι'),'ΐ','ι'),'ό','ο'),'Ό','ο'),'ύ','υ'),'Ύ','υ'),'ϋ','υ'),'Ϋ','υ'),'ΰ','υ'),'ώ','ω'),'Ώ','ω'),'ς','σ') FROM s2), s4(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ё','е'),'Ё','е'),'й','и'),'Й','и'),'ї','і'),'Ї','і'),'ў','у'),'Ў','у'),'أ','ا'),'إ','ا'),'آ','ا'),'ٱ','ا'),'ى','ي'),'ی','ي'),'ئ','ي'),'ؤ','و') FROM s3), s5(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ة','ه'),'ک','ك'),'ـ',''),'ً',''),'ٌ',''),'ٍ',''),'َ',''),'ُ',''),'ِ',''),'ّ',''),'ْ',''),'ٰ',''),'ְ',''),'ֱ',''),'ֲ',''),'ֳ','') FROM s4), s6(t) AS (SELECT replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(t,'ִ',''),'ֵ',''),'ֶ',''),'ַ',''),'ָ',''),'ֹ',''),'ֺ',''),'ֻ',''),'ּ',''),'ׁ',''),'ׂ','') FROM s5) SELECT t FROM s6) ELSE concat_ws(' ', NEW.first_name, NEW.last_name, NEW.email) END);
END;
