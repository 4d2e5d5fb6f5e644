import { sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { authorsOf, PIVOT, type StoredRate } from './fx.quotes.ts'
import { fxRates } from './fx.table.ts'

/** Who removes a rate is behind the prices without it for this long: as long as sums of what one person did are. */
const REMOVAL_COUNTS_FOR = DAY

// Three currencies make the pairs that a price is looked for in: this pair, and either against the pivot. What nobody
// confirmed never held.
const REMOVERS = statement(
  sql`SELECT DISTINCT ${listed({ userId: fxRates.endedBy })} FROM ${fxRates}
  WHERE ${fxRates.tenantId} = ?1 AND ${fxRates.endedAt} > ?2 AND ${fxRates.endedBy} IS NOT NULL
    AND ${fxRates.unconfirmed} = 0 AND ${fxRates.base} IN (?3, ?4, ?5) AND ${fxRates.quote} IN (?3, ?4, ?5)`,
)

/**
 * Everybody whose word the price of a pair is: who entered or confirmed a rate of those given, and who removed one in
 * the last 24 hours that would have been looked at. Nobody for one and the same currency.
 */
export function handsOn(
  db: Reader,
  { base, quote, rates, now }: { base: string; quote: string; rates: readonly StoredRate[]; now: number },
): string[] {
  if (base === quote) return []
  const removers = db.query<{ userId: string }>(REMOVERS, [now - REMOVAL_COUNTS_FOR, base, quote, PIVOT])
  return [...new Set([...rates.flatMap(authorsOf), ...removers.map(({ userId }) => userId)])]
}
