/** Gives each closed position that was written by SQL its closing, as the migration of closings did. */
export const CLOSE_WRITTEN_POSITIONS = `INSERT INTO position_closings (tenant_id, id, position_id, leg, lots, opened_at,
    closed_at, currency, profit, swap, commission, spread, reported, assumed, created_at, updated_at)
  SELECT tenant_id, id, id, 1, max(opened_volume, volume), opened_at, closed_at, currency, profit, swap, commission,
    spread, reported, assumed_closed, updated_at, updated_at
  FROM positions WHERE status = 'closed'`
