-- The same order as before with the amount in it: what a wallet held at a time is summed from the index alone.
DROP INDEX ledger_entries_wallet;
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC, amount);
