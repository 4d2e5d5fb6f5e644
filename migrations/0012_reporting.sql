-- Money by the day it arrived or left, answered from the index alone; and the first deposit of each client.
DROP INDEX deposits_settled;
CREATE INDEX deposits_settled ON deposits (tenant_id, settled_at, currency, settled_amount, trader_id) WHERE settled_at IS NOT NULL;
CREATE INDEX deposits_trader_settled ON deposits (tenant_id, trader_id, settled_at) WHERE settled_at IS NOT NULL;
CREATE INDEX withdrawals_paid ON withdrawals (tenant_id, paid_at, currency, amount) WHERE paid_at IS NOT NULL;
CREATE INDEX traders_registered ON traders (tenant_id, created_at);
