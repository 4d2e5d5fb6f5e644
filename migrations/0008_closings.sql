-- Commissions are paid for lots that were closed. A closing is lots that were opened at one moment and closed at one
-- moment, with what they brought; one that no longer holds is void and counts for nothing.
ALTER TABLE positions ADD COLUMN closed_volume INTEGER NOT NULL DEFAULT 0;
-- A ticket that changes its side goes on with its next leg; these lots were closed in the legs before.
ALTER TABLE positions ADD COLUMN leg INTEGER NOT NULL DEFAULT 1;
ALTER TABLE positions ADD COLUMN earlier_volume INTEGER NOT NULL DEFAULT 0;

CREATE TABLE position_closings (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  id TEXT NOT NULL,
  position_id TEXT NOT NULL,
  leg INTEGER NOT NULL CHECK (leg > 0),
  -- The deal of a trading server that closed the lots; a report of positions names none.
  deal TEXT,
  lots INTEGER NOT NULL CHECK (lots BETWEEN 1 AND 9007199254740991),
  opened_at INTEGER NOT NULL,
  closed_at INTEGER NOT NULL,
  currency TEXT,
  profit INTEGER NOT NULL CHECK (profit BETWEEN -9007199254740991 AND 9007199254740991),
  swap INTEGER NOT NULL DEFAULT 0 CHECK (swap BETWEEN -9007199254740991 AND 9007199254740991),
  commission INTEGER NOT NULL DEFAULT 0 CHECK (commission BETWEEN -9007199254740991 AND 9007199254740991),
  spread INTEGER CHECK (spread BETWEEN -9007199254740991 AND 9007199254740991),
  -- The amounts as the platform said them while no account, and so no currency, is known.
  reported TEXT CHECK ((reported IS NOT NULL) = (currency IS NULL) AND (reported IS NULL OR json_valid(reported))),
  -- Only a snapshot without the ticket says so yet.
  assumed INTEGER NOT NULL DEFAULT 0 CHECK (assumed IN (0, 1)),
  void INTEGER NOT NULL DEFAULT 0 CHECK (void IN (0, 1)),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, position_id) REFERENCES positions (tenant_id, id)
) STRICT;
CREATE UNIQUE INDEX position_closings_leg ON position_closings (tenant_id, position_id, leg) WHERE deal IS NULL;
CREATE INDEX position_closings_position ON position_closings (tenant_id, position_id, closed_at, id);
CREATE INDEX position_closings_closed ON position_closings (tenant_id, closed_at, id);
CREATE INDEX position_closings_updated ON position_closings (tenant_id, updated_at, id);

-- Whatever closed before this counts once: on MetaTrader 4 the volume of the close, since what it leaves out lives on
-- under another ticket; elsewhere the larger of the first and the last volume seen.
UPDATE positions SET opened_volume = max(opened_volume, volume), closed_volume = CASE
  WHEN status = 'open' THEN max(opened_volume - volume, 0)
  WHEN platform = 'terminal4' THEN volume
  ELSE max(opened_volume, volume) END;
INSERT INTO position_closings (tenant_id, id, position_id, leg, lots, opened_at, closed_at, currency, profit, swap,
    commission, spread, reported, assumed, created_at, updated_at)
  SELECT tenant_id, id, id, 1, closed_volume, opened_at, closed_at, currency, profit, swap,
    commission, spread, reported, assumed_closed, updated_at, updated_at
  FROM positions WHERE status = 'closed';

-- Another client of an account is another client of its closings, which commissions look at again.
CREATE TRIGGER position_closings_passed_on AFTER UPDATE OF trader_id ON positions
WHEN NEW.trader_id IS NOT OLD.trader_id BEGIN
  UPDATE position_closings SET updated_at = NEW.updated_at
  WHERE tenant_id = NEW.tenant_id AND position_id = NEW.id;
END;
