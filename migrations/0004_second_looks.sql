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
