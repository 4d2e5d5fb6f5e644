import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { perTenant } from '../../../platform/capabilities.ts'
import { SECOND, toIso } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { formatLots, LOT } from './lots.ts'
import type { HeatmapOut } from './positions.model.ts'
import { positions } from './positions.table.ts'

// a sum may exceed SQLite's integers, so whole lots and the rest are summed separately, as text; the index has all
// columns
const sumVolume = (side: 'long' | 'short', operator: '/' | '%') =>
  sql`CAST(sum(CASE ${positions.side} WHEN ${sql.raw(`'${side}'`)}
    THEN ${positions.volume} ${sql.raw(`${operator} ${LOT}`)} ELSE 0 END) AS TEXT)`
const HEATMAP = statement(
  sql`SELECT ${listed({
    symbol: positions.symbol,
    long: sumVolume('long', '/'),
    longRest: sumVolume('long', '%'),
    short: sumVolume('short', '/'),
    shortRest: sumVolume('short', '%'),
    positions: sql`count(*)`,
    traders: sql`count(DISTINCT ${positions.traderId})`,
  })}
  FROM ${positions} WHERE ${positions.tenantId} = ?1 AND ${positions.status} = 'open' GROUP BY ${positions.symbol}`,
)
type SymbolRow = Record<'symbol' | 'long' | 'longRest' | 'short' | 'shortRest', string> &
  Record<'positions' | 'traders', number>

type Heatmap = Static<typeof HeatmapOut>
const FRESH = 2 * SECOND
const remembered = perTenant((): { last: { at: number; heatmap: Heatmap } | null } => ({ last: null }))

/**
 * Returns the open volume by symbol over all clients, the largest first. Summing 200,000 positions takes tens of
 * milliseconds and every open console asks for it, so a firm gets the same answer for two seconds; `asOf` is its time.
 * RULES “Positions”.
 */
export function readHeatmap(ctx: Ctx): Heatmap {
  const memory = remembered(ctx)
  const now = ctx.now()
  const known = memory.last
  if (known && now - known.at < FRESH && now >= known.at) return known.heatmap
  const rows = ctx.db.query<SymbolRow>(HEATMAP).map(({ long, longRest, short, shortRest, ...row }) => ({
    ...row,
    long: BigInt(long) * LOT + BigInt(longRest),
    short: BigInt(short) * LOT + BigInt(shortRest),
  }))
  rows.sort((a, b) => Number(b.long + b.short - a.long - a.short) || (a.symbol < b.symbol ? -1 : 1))
  const heatmap = {
    data: rows.map(({ long, short, ...row }) => ({
      ...row,
      long: formatLots(long),
      short: formatLots(short),
      net: formatLots(long - short),
    })),
    asOf: toIso(now),
  }
  memory.last = { at: now, heatmap }
  return heatmap
}
