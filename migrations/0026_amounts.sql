-- Lists of money are narrowed and put in order by the amount, which means something within one currency alone.
CREATE INDEX deposits_amount ON deposits (tenant_id, currency, amount, id);
CREATE INDEX withdrawals_amount ON withdrawals (tenant_id, currency, amount, id);
CREATE INDEX adjustments_amount ON adjustments (tenant_id, currency, amount, id);
CREATE INDEX affiliate_payouts_amount ON affiliate_payouts (tenant_id, currency, amount, id);
CREATE INDEX transfers_amount ON transfers (tenant_id, from_currency, from_amount, id);

-- Lists of transfers and adjustments by currency, newest first.
CREATE INDEX transfers_currency ON transfers (tenant_id, from_currency, created_at DESC, id DESC);
CREATE INDEX adjustments_currency ON adjustments (tenant_id, currency, created_at DESC, id DESC);

-- The page of a client adds up what is open: somebody who trades all day has very many closed positions.
CREATE INDEX positions_trader_open ON positions (tenant_id, trader_id, currency, profit) WHERE status = 'open';

-- A transfer is found by the reference that the firm gave it, and by the one that the platform knows it by.
CREATE INDEX transfers_reference ON transfers (tenant_id, reference);
CREATE INDEX transfers_platform_reference ON transfers (tenant_id, platform_reference)
  WHERE platform_reference IS NOT NULL;
