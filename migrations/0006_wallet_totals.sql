-- What a firm holds by currency, and the clients for whom it holds most, are read from this index alone.
CREATE INDEX wallets_totals ON wallets (tenant_id, trader_id, currency, available, held);
