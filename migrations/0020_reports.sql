-- Commission by the day a position was closed: reports read one day after the other.
CREATE INDEX positions_closed ON positions (tenant_id, closed_at) WHERE closed_at IS NOT NULL;
-- The same order with the amount in it: what a wallet held at a time is summed from the index alone.
DROP INDEX ledger_entries_wallet;
CREATE INDEX ledger_entries_wallet ON ledger_entries (tenant_id, wallet_id, created_at DESC, id DESC, amount);
