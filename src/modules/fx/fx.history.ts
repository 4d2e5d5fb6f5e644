import { type SQL, sql } from 'drizzle-orm'
import { DAY } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { isCrypto, parseRate, type Ratio } from '../../platform/money.ts'
import { newest, priceBy, type StoredRate } from './fx.quotes.ts'
import { fxGlobalRates, fxRates } from './fx.table.ts'

const PIVOT = 'USD'
/** A rate is compared with what held this long ago, so that many small steps count together. Fixed by rules.md. */
const LOOK_BACK = DAY
/** Per cent by which a rate may differ from then before a second person is asked. Fixed by rules.md. */
const MAX_CHANGE = 5n
const MAX_CRYPTO_CHANGE = 20n

type Pool = StoredRate['pool']
type Past = Pick<StoredRate, 'id' | 'base' | 'rate' | 'pool' | 'createdAt'> & { endedAt: number | null }

type Rates = typeof fxRates | typeof fxGlobalRates
const firstOf = (rates: Rates, pool: Pool, mine: SQL, when: (rates: Rates) => SQL) =>
  sql`SELECT * FROM (SELECT ${listed({
    id: rates.id,
    base: rates.base,
    rate: rates.rate,
    createdAt: rates.createdAt,
    endedAt: rates.endedAt,
    pool: sql.raw(`'${pool}'`),
  })} FROM ${rates}
    WHERE ${mine} ${rates.base} = ?2 AND ${rates.quote} = ?3 AND ${rates.unconfirmed} = 0 AND ${when(rates)} LIMIT 1)`
const past = (when: (rates: Rates) => SQL): string =>
  statement(
    sql`${firstOf(fxRates, 'tenant', sql`${fxRates.tenantId} = ?1 AND`, when)}
    UNION ALL ${firstOf(fxGlobalRates, 'global', sql``, when)}`,
  )
const BEFORE = past(({ createdAt, id }) => sql`${createdAt} <= ?4 ORDER BY ${createdAt} DESC, ${id} DESC`)
const SINCE = past(({ createdAt, id }) => sql`${createdAt} > ?4 ORDER BY ${createdAt}, ${id}`)

/**
 * What one of `base` was in `quote` at a moment, by rates of this pair alone in either direction: by the firm's newest
 * rate that held then, else by the pool's (of which alone the pool knows). Where none held: by the last one before,
 * since removing a rate must not make the past forgotten, and in a pair that is younger by its first one.
 */
function priceAt(db: Reader, pool: Pool, base: string, quote: string, at: number): Ratio | undefined {
  const read = (sql: string): Past[] =>
    [...db.query<Past>(sql, [base, quote, at]), ...db.query<Past>(sql, [quote, base, at])].filter(
      (rate) => pool === 'tenant' || rate.pool === 'global',
    )
  const before = read(BEFORE)
  const held = before.filter(({ endedAt }) => endedAt === null || endedAt > at)
  const last = newest(held.filter((rate) => rate.pool === 'tenant')) ?? newest(held) ?? newest(before)
  const rate =
    last ?? read(SINCE).reduce<Past | undefined>((a, b) => (a && a.createdAt <= b.createdAt ? a : b), undefined)
  return rate && priceBy(base, rate)
}

/**
 * What one of `base` was in `quote` 24 hours ago: by the mids of then, or by rates of the pair where one of them had no
 * mid.
 */
export function priceBefore(db: Reader, pool: Pool, base: string, quote: string, now: number): Ratio | undefined {
  const at = now - LOOK_BACK
  const midAt = (currency: string): Ratio | undefined =>
    currency === PIVOT ? { n: 1n, d: 1n } : priceAt(db, pool, currency, PIVOT, at)
  const [from, to] = [midAt(base), midAt(quote)]
  return from && to ? { n: from.n * to.d, d: from.d * to.n } : priceAt(db, pool, base, quote, at)
}

/** Whether two prices differ by more than so many per cent of the second. */
const differs = (one: Ratio, other: Ratio, percent: bigint): boolean => {
  const [a, b] = [one.n * other.d, other.n * one.d]
  return (a > b ? a - b : b - a) * 100n > b * percent
}

/**
 * Whether a price of a pair is so far from that of 24 hours ago that one person's word is not enough. The first price
 * of a currency has nothing to differ from, and passes.
 */
export function jumps(
  db: Reader,
  { pool, base, quote, now }: { pool: Pool; base: string; quote: string; now: number },
  price: Ratio,
): boolean {
  const before = priceBefore(db, pool, base, quote, now)
  return (
    before !== undefined && differs(price, before, isCrypto(base) || isCrypto(quote) ? MAX_CRYPTO_CHANGE : MAX_CHANGE)
  )
}

/** Whether a rate says the same as another one, within one per cent. */
export const repeats = (rate: string, of: string): boolean => !differs(parseRate(rate), parseRate(of), 1n)
