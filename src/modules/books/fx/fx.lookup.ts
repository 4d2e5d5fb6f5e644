import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Ratio } from '../../../platform/money.ts'
import { lookUp, type Quote, type Rates, type StoredRate } from './fx.quotes.ts'
import { fxRates, fxGlobalRates as pool } from './fx.table.ts'

// the index is named, since SQLite without statistics would use that of the whole history, with millions of rows
const HOLDING = sql.raw('INDEXED BY fx_rates_current')
const POOL_HOLDING = sql.raw('INDEXED BY fx_global_rates_current')
/** Returns the columns of a `StoredRate`, selected from the rates of firms or of the pool. */
export const storedRate = (rates: typeof fxRates | typeof pool): SQL =>
  listed({
    id: rates.id,
    base: rates.base,
    quote: rates.quote,
    rate: rates.rate,
    source: rates.source,
    createdBy: rates.createdBy,
    proposedBy: rates.proposedBy,
    createdAt: rates.createdAt,
    pool: sql.raw(rates === fxRates ? "'tenant'" : "'global'"),
  })
const OWN = sql`SELECT ${storedRate(fxRates)} FROM ${fxRates} ${HOLDING}
  WHERE ${fxRates.tenantId} = ?1 AND ${fxRates.current} = 1`
const POOL = sql`SELECT ${storedRate(pool)} FROM ${pool} ${POOL_HOLDING} WHERE ${pool.current} = 1`
const PAIR = statement(
  sql`${OWN} AND ${fxRates.base} = ?2 AND ${fxRates.quote} = ?3 AND ${fxRates.unconfirmed} = ?4
  UNION ALL ${POOL} AND ${pool.base} = ?2 AND ${pool.quote} = ?3 AND ${pool.unconfirmed} = ?4`,
)
const own = alias(fxRates, 'own')
const ALL = statement(
  sql`${OWN} AND ${fxRates.unconfirmed} = 0
  UNION ALL ${POOL} AND ${pool.unconfirmed} = 0
    AND NOT EXISTS (SELECT 1 FROM ${fxRates} ${own} ${HOLDING} WHERE ${own.tenantId} = ?1 AND ${own.base} = ${pool.base}
      AND ${own.quote} = ${pool.quote} AND ${own.current} = 1 AND ${own.unconfirmed} = 0)
  ORDER BY base, quote`,
)
const WAITING = statement(
  sql`${OWN} AND ${fxRates.unconfirmed} = 1
  UNION ALL ${POOL} AND ${pool.unconfirmed} = 1
  ORDER BY base, quote`,
)

/** Returns the rates in use, one row for each pair: the firm's, else the pool's. */
export const currentRates = (db: Reader): StoredRate[] => db.query<StoredRate>(ALL)

/** Returns rates of the firm and of the pool that wait for confirmation. */
export const waitingRates = (db: Reader): StoredRate[] => db.query<StoredRate>(WAITING)

/** Returns the waiting rate of one pool and pair, if there is one. */
export const waitingRate = (
  db: Reader,
  { base, quote, pool }: Pick<StoredRate, 'base' | 'quote' | 'pool'>,
): StoredRate | undefined => db.query<StoredRate>(PAIR, [base, quote, 1]).find((rate) => rate.pool === pool)

/** Reads the rates in use for a firm, pair by pair. `db` must see the whole firm. */
export const createRates = (db: Reader): Rates => ({
  of: (base, quote) => db.query<StoredRate>(PAIR, [base, quote, 0]),
})

/** Returns the firm's rate from one currency to another; undefined without one. */
export const findQuote = (db: Reader, base: string, quote: string): Quote | undefined =>
  lookUp(createRates(db), base, quote)

/** Returns a ratio as a decimal with up to 18 places, truncated, for people and logs; calculations use the ratio. */
export function ratioText({ n, d }: Ratio): string {
  const digits = ((n * 10n ** 18n) / d).toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}

/** Returns the columns that store the rate of a row. `asOf` is the oldest of its rates. */
export const frozenQuote = (quote: Quote) => ({
  rate: ratioText(quote.ratio),
  rateIds: quote.rates.map(({ id }) => id),
  rateSource: quote.rates.length === 0 ? null : [...new Set(quote.rates.map(({ source }) => source))].join(', '),
  rateAsOf: quote.rates.length === 0 ? null : Math.min(...quote.rates.map(({ createdAt }) => createdAt)),
})
