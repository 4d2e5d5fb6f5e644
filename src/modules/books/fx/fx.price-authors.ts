import { sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { listRateAuthors, PIVOT, type StoredRate } from './fx.quotes.ts'
import { fxRates } from './fx.table.ts'

/** Who removed a rate counts as author of the resulting price for this long, as one person's sums do. */
const REMOVAL_COUNTS_FOR = DAY

// a price is looked up in three pairs: its own, and each currency against the pivot; unconfirmed rates never applied
const REMOVERS = statement(
  sql`SELECT DISTINCT ${listed({ userId: fxRates.endedBy })} FROM ${fxRates}
  WHERE ${fxRates.tenantId} = ?1 AND ${fxRates.endedAt} > ?2 AND ${fxRates.endedBy} IS NOT NULL
    AND ${fxRates.unconfirmed} = 0 AND ${fxRates.base} IN (?3, ?4, ?5) AND ${fxRates.quote} IN (?3, ?4, ?5)`,
)

/**
 * Returns all authors of a pair's price: who entered or confirmed one of the given rates, and who removed a rate for it
 * in the last 24 hours. A currency in itself has no authors.
 */
export function listPriceAuthors(
  db: Reader,
  { base, quote, rates, now }: { base: string; quote: string; rates: readonly StoredRate[]; now: number },
): string[] {
  if (base === quote) return []
  const removers = db.query<{ userId: string }>(REMOVERS, [now - REMOVAL_COUNTS_FOR, base, quote, PIVOT])
  return [...new Set([...rates.flatMap(listRateAuthors), ...removers.map(({ userId }) => userId)])]
}
