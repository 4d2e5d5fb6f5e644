-- A rate far from that of the day before waits for a second person. It is a row of its own beside the one that holds;
-- it never holds itself: who confirms it sends a row of their own, which names in `proposed_by` whose word it repeats.
-- `ended_at` says until when a row held or waited.
ALTER TABLE fx_rates ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed IN (0, 1));
ALTER TABLE fx_rates ADD COLUMN proposed_by TEXT;
ALTER TABLE fx_rates ADD COLUMN ended_at INTEGER;
ALTER TABLE fx_global_rates ADD COLUMN unconfirmed INTEGER NOT NULL DEFAULT 0 CHECK (unconfirmed IN (0, 1));
ALTER TABLE fx_global_rates ADD COLUMN proposed_by TEXT;
ALTER TABLE fx_global_rates ADD COLUMN ended_at INTEGER;

DROP INDEX fx_rates_current;
CREATE UNIQUE INDEX fx_rates_current ON fx_rates (tenant_id, base, quote, unconfirmed) WHERE current = 1;
CREATE INDEX fx_rates_waiting ON fx_rates (tenant_id) WHERE current = 1 AND unconfirmed = 1;
CREATE INDEX fx_rates_history ON fx_rates (tenant_id, base, quote, created_at) WHERE unconfirmed = 0;
DROP INDEX fx_global_rates_current;
CREATE UNIQUE INDEX fx_global_rates_current ON fx_global_rates (base, quote, unconfirmed) WHERE current = 1;
CREATE INDEX fx_global_rates_waiting ON fx_global_rates (id) WHERE current = 1 AND unconfirmed = 1;
CREATE INDEX fx_global_rates_history ON fx_global_rates (base, quote, created_at) WHERE unconfirmed = 0;

-- Until when the old ones held: until the next of the pair, or until somebody removed them, as the audit says.
UPDATE fx_rates SET ended_at = coalesce(
  (SELECT min(at) FROM audit WHERE audit.tenant_id = fx_rates.tenant_id AND audit.entity_id = fx_rates.id
    AND audit.action IN ('fx.supersede', 'fx.remove')),
  (SELECT min(later.created_at) FROM fx_rates later WHERE later.tenant_id = fx_rates.tenant_id AND later.base = fx_rates.base
    AND later.quote = fx_rates.quote AND later.id > fx_rates.id),
  created_at) WHERE current = 0;
UPDATE fx_global_rates SET ended_at = coalesce(
  (SELECT min(later.created_at) FROM fx_global_rates later WHERE later.base = fx_global_rates.base AND later.quote = fx_global_rates.quote
    AND later.id > fx_global_rates.id),
  created_at) WHERE current = 0;
