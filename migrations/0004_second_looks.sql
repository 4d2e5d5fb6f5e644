-- Who must approve is known when the money is asked for, and can only become stricter: a rate or a threshold set later does not undo it.
ALTER TABLE withdrawals ADD COLUMN asked_large INTEGER NOT NULL DEFAULT 0 CHECK (asked_large IN (0, 1));

-- Another holder is another destination: what was approved is what was read.
DROP INDEX payout_destinations_once;
CREATE UNIQUE INDEX payout_destinations_once ON payout_destinations (tenant_id, trader_id, fingerprint, coalesce(holder, ''));

-- Closed only because a snapshot did not have it: what the platform says later still counts.
ALTER TABLE positions ADD COLUMN assumed_closed INTEGER NOT NULL DEFAULT 0 CHECK (assumed_closed IN (0, 1));

-- When a ticket's clocks began (it was opened, or opened again) and when they stood, so that another priority sets deadlines that leave pauses out.
ALTER TABLE tickets ADD COLUMN clock_started_at INTEGER;
ALTER TABLE tickets ADD COLUMN pauses TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(pauses));

-- What a platform reported, when and by whom: money from an account goes by it, and never on the word of the one who typed it.
ALTER TABLE accounts ADD COLUMN balance_at INTEGER;
ALTER TABLE accounts ADD COLUMN balance_by TEXT;
UPDATE accounts SET balance_at = updated_at WHERE balance <> 0;

-- Whose words a transfer's note is: those of staff are for colleagues.
ALTER TABLE transfers ADD COLUMN by_trader INTEGER NOT NULL DEFAULT 0 CHECK (by_trader IN (0, 1));

ALTER TABLE fx_global_rates ADD COLUMN created_by TEXT;
