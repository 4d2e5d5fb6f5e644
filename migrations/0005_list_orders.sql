-- Lists are sorted by what people look for first: the largest balance, the number of an account, the newest position,
-- the ticket that was answered last.
CREATE INDEX wallets_available ON wallets (tenant_id, currency, available, id);
CREATE INDEX accounts_balance ON accounts (tenant_id, currency, balance, id);
CREATE INDEX accounts_number_order ON accounts (tenant_id, ifnull(account_number, ''), id) WHERE deleted_at IS NULL;
CREATE INDEX positions_opened ON positions (tenant_id, opened_at, id);
CREATE INDEX positions_status_opened ON positions (tenant_id, status, opened_at, id);
CREATE INDEX tickets_last_message ON tickets (tenant_id, last_message_at, id);
