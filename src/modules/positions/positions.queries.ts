import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import { SECOND, toIso } from '../../platform/clock.ts'
import type { Platform } from '../../platform/platform.ts'
import { formatLots } from './lots.ts'
import type { HeatmapOut } from './positions.model.ts'

// Sums leave SQLite as text: they may pass 2^53. The index covers the query.
const HEATMAP = `SELECT symbol, CAST(sum(CASE side WHEN 'long' THEN volume ELSE 0 END) AS TEXT) AS long,
  CAST(sum(CASE side WHEN 'short' THEN volume ELSE 0 END) AS TEXT) AS short, count(*) AS positions, count(DISTINCT trader_id) AS traders
  FROM positions WHERE tenant_id = ?1 AND status = 'open' GROUP BY symbol`
type SymbolRow = { symbol: string; long: string; short: string; positions: number; traders: number }

type Heatmap = Static<typeof HeatmapOut>
const FRESH = 2 * SECOND
const remembered = new WeakMap<Platform, Map<string, { at: number; heatmap: Heatmap }>>()

/**
 * Open volume by symbol over all traders, the largest first. Counting 200,000 positions takes tens of milliseconds, and every open console asks: one
 * answer serves a firm for two seconds, and `asOf` says when it was made. Interface §4.
 */
export function readHeatmap(ctx: Ctx): Heatmap {
  const tenants = remembered.get(ctx.platform) ?? new Map<string, { at: number; heatmap: Heatmap }>()
  remembered.set(ctx.platform, tenants)
  const now = ctx.now()
  const known = tenants.get(ctx.tenantId)
  if (known && now - known.at < FRESH && now >= known.at) return known.heatmap
  const rows = ctx.db
    .query<SymbolRow>(HEATMAP)
    .map((row) => ({ ...row, long: BigInt(row.long), short: BigInt(row.short) }))
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
  tenants.set(ctx.tenantId, { at: now, heatmap })
  return heatmap
}
