import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { storedRate } from './fx.lookup.ts'
import { lookUp, type Quote, type Rates, type StoredRate } from './fx.quotes.ts'
import { fxGlobalRates, fxRates } from './fx.table.ts'

/** The newest rate of ?2 in ?3 that was entered until ?4, of the firm or of the pool, if it still held then. */
const held = (rates: typeof fxRates | typeof fxGlobalRates): SQL => {
  const ofFirm = rates === fxRates ? sql`${fxRates.tenantId} = ?1 AND` : sql``
  const newest = sql`SELECT ${rates.id} FROM ${rates} WHERE ${ofFirm} ${rates.unconfirmed} = 0
    AND ${rates.base} = ?2 AND ${rates.quote} = ?3 AND ${rates.createdAt} <= ?4
    ORDER BY ${rates.createdAt} DESC, ${rates.id} DESC LIMIT 1`
  return sql`SELECT ${storedRate(rates)} FROM ${rates}
    WHERE ${ofFirm} ${rates.id} = (${newest}) AND (${rates.endedAt} IS NULL OR ${rates.endedAt} > ?4)`
}
const PAIR_AT = statement(sql`${held(fxRates)} UNION ALL ${held(fxGlobalRates)}`)

/** The rates that held for a firm at a moment (milliseconds), read pair by pair. `db` must see all of the firm. */
const ratesAt = (db: Reader, at: number): Rates => ({
  of: (base, quote) => db.query<StoredRate>(PAIR_AT, [base, quote, at]),
})

/**
 * The rate from one currency to another as a firm would have looked it up at a moment, by the rates that are kept;
 * undefined where none held then: a missing rate is shown, never guessed. rules.md “FX”, “Reports”.
 */
export const quoteAt = (db: Reader, base: string, quote: string, at: number): Quote | undefined =>
  lookUp(ratesAt(db, at), base, quote)
