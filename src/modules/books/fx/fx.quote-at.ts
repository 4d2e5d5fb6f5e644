import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { storedRate } from './fx.lookup.ts'
import { lookUp, newest, type Quote, type Rates, type StoredRate, throughPivot } from './fx.quotes.ts'
import { fxGlobalRates, fxRates, fxPastRates as past } from './fx.table.ts'

/** Selects the newest rate of ?2 in ?3 that was entered until ?4 and still applied then, of the firm or of the pool. */
const held = (rates: typeof fxRates | typeof fxGlobalRates): SQL => {
  const ofFirm = rates === fxRates ? sql`${fxRates.tenantId} = ?1 AND` : sql``
  const newest = sql`SELECT ${rates.id} FROM ${rates} WHERE ${ofFirm} ${rates.unconfirmed} = 0
    AND ${rates.base} = ?2 AND ${rates.quote} = ?3 AND ${rates.createdAt} <= ?4
    ORDER BY ${rates.createdAt} DESC, ${rates.id} DESC LIMIT 1`
  return sql`SELECT ${storedRate(rates)} FROM ${rates}
    WHERE ${ofFirm} ${rates.id} = (${newest}) AND (${rates.endedAt} IS NULL OR ${rates.endedAt} > ?4)`
}
const PAIR_AT = statement(sql`${held(fxRates)} UNION ALL ${held(fxGlobalRates)}`)
/** Selects the rate that was entered later for a moment without a rate; of several, the one for the latest day. */
const PAIR_ENTERED_FOR = statement(
  sql`SELECT ${listed({
    id: past.id,
    base: past.base,
    quote: past.quote,
    rate: past.rate,
    source: past.source,
    createdBy: past.createdBy,
    proposedBy: sql`NULL`,
    createdAt: past.createdAt,
    pool: sql`'tenant'`,
  })} FROM ${past} WHERE ${past.tenantId} = ?1 AND ${past.base} = ?2 AND ${past.quote} = ?3
    AND ${past.sinceAt} <= ?4 AND ${past.createdAt} > ?4 AND ${past.removedAt} IS NULL ORDER BY ${past.sinceAt} DESC LIMIT 1`,
)

/** Checks first whether any rate was entered later for a moment; usually none was, and no pair must be read. */
const ANY_ENTERED_FOR = statement(
  sql`SELECT 1 FROM ${past} WHERE ${past.tenantId} = ?1 AND ${past.sinceAt} <= ?2 AND ${past.createdAt} > ?2
    AND ${past.removedAt} IS NULL LIMIT 1`,
)

/** Reads the rates that applied for a firm at a moment (milliseconds), each pair once. `db` must see the whole firm. */
const ratesAt = (db: Reader, at: number): Rates => {
  const known = new Map<string, readonly StoredRate[]>()
  return {
    of(base, quote) {
      const pair = `${base}/${quote}`
      const rates = known.get(pair) ?? db.query<StoredRate>(PAIR_AT, [base, quote, at])
      known.set(pair, rates)
      return rates
    },
  }
}

/** Adds the rates that were entered later, for pairs that have none in either direction. */
const ratesEntered = (db: Reader, at: number, held: Rates): Rates => ({
  of(base, quote) {
    const rates = held.of(base, quote)
    if (rates.length > 0 || held.of(quote, base).length > 0) return rates
    const [own] = db.query<StoredRate>(PAIR_ENTERED_FOR, [base, quote, at])
    const [back] = db.query<StoredRate>(PAIR_ENTERED_FOR, [quote, base, at])
    return own && !(back && isBefore(back, own)) ? [own] : []
  },
})
const isBefore = (one: StoredRate, other: StoredRate): boolean => newest([one, other]) === other

/** Returns whether all rates of one quote were stored before the newest rate of the other. */
function wasFirst(one: Quote, other: Quote): boolean {
  const [last, lastOfOther] = [newest(one.rates), newest(other.rates)]
  return last !== undefined && lastOfOther !== undefined && isBefore(last, lastOfOther)
}

/**
 * Returns the rate between two currencies at a past moment: by the firm's rates of that time, else by those entered
 * later for that day. Undefined without either, since a missing rate is shown and never guessed. Of several
 * combinations that were entered, the first complete one counts, so that later ones do not change the result. RULES
 * “FX”, “Reports”.
 */
export function quoteAt(db: Reader, base: string, quote: string, at: number): Quote | undefined {
  const rates = ratesAt(db, at)
  const held = lookUp(rates, base, quote)
  if (held || db.query(ANY_ENTERED_FOR, [at]).length === 0) return held
  const entered = ratesEntered(db, at, rates)
  const straight = lookUp(entered, base, quote)
  const around = throughPivot(entered, base, quote)
  return straight && around && wasFirst(around, straight) ? around : (straight ?? around)
}
