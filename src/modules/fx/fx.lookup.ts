import type { Reader } from '../../platform/db/reader.ts'
import { Problem } from '../../platform/http/problem.ts'
import { convertByRatio, parseRate, type Rounding } from '../../platform/money.ts'

/** A current rate of the firm or of the global pool. */
export type StoredRate = {
  id: string
  base: string
  quote: string
  rate: string
  source: string
  pool: 'tenant' | 'global'
  createdBy: string | null
  createdAt: number
}

const COLUMNS = 'id, base, quote, rate, source, created_by AS createdBy, created_at AS createdAt'
const PAIR = `SELECT ${COLUMNS}, 'tenant' AS pool FROM fx_rates WHERE tenant_id = ?1 AND base = ?2 AND quote = ?3 AND current = 1
  UNION ALL SELECT ${COLUMNS}, 'global' AS pool FROM fx_global_rates WHERE base = ?2 AND quote = ?3 AND current = 1`
const ALL = `SELECT ${COLUMNS}, 'tenant' AS pool FROM fx_rates WHERE tenant_id = ?1 AND current = 1
  UNION ALL SELECT ${COLUMNS}, 'global' AS pool FROM fx_global_rates g WHERE current = 1
  AND NOT EXISTS (SELECT 1 FROM fx_rates r WHERE r.tenant_id = ?1 AND r.base = g.base AND r.quote = g.quote AND r.current = 1)
  ORDER BY base, quote`

/** The firm's rates over the global pool, one row a pair. */
export const currentRates = (db: Reader): StoredRate[] => db.query<StoredRate>(ALL)

/** How one currency becomes another: an exact fraction, and the rates it was made of. */
export type Quote = {
  ratio: { n: bigint; d: bigint }
  via: 'same' | 'direct' | 'inverse' | 'pivot'
  rates: StoredRate[]
}

const PIVOT = 'USD'

function pairQuote(db: Reader, base: string, quote: string): Quote | undefined {
  const [direct] = db.query<StoredRate>(PAIR, [base, quote])
  const [inverse] = direct ? [] : db.query<StoredRate>(PAIR, [quote, base])
  if (direct) return { ratio: parseRate(direct.rate), via: 'direct', rates: [direct] }
  if (!inverse) return undefined
  const { n, d } = parseRate(inverse.rate)
  return { ratio: { n: d, d: n }, via: 'inverse', rates: [inverse] }
}

/** The rate from one currency to another: the firm's, else global, else the inverse, else through USD; undefined when there is none. rules.md “FX”. */
export function findQuote(db: Reader, base: string, quote: string): Quote | undefined {
  if (base === quote) return { ratio: { n: 1n, d: 1n }, via: 'same', rates: [] }
  const pair = pairQuote(db, base, quote)
  if (pair) return pair
  const into = base === PIVOT ? undefined : pairQuote(db, base, PIVOT)
  const out = quote === PIVOT ? undefined : pairQuote(db, PIVOT, quote)
  if (!into || !out) return undefined
  const ratio = { n: into.ratio.n * out.ratio.n, d: into.ratio.d * out.ratio.d }
  return { ratio, via: 'pivot', rates: [...into.rates, ...out.rates] }
}

/** As `findQuote`; 422 `fx_rate_missing` when there is none. */
export function requireQuote(db: Reader, base: string, quote: string): Quote {
  const found = findQuote(db, base, quote)
  if (!found) {
    throw new Problem(422, 'fx_rate_missing', `There is no rate from ${base} to ${quote}; set one first.`, [
      { path: 'quote', code: 'fx_rate_missing', message: `no rate from ${base}` },
    ])
  }
  return found
}

/**
 * As `requireQuote`, for a conversion that a client makes alone: never better than the firm's own rate of the other direction allows, or between a rate
 * of the firm and one of the global pool money could be made by going back and forth.
 */
export function quoteForClient(db: Reader, base: string, quote: string): Quote {
  const found = requireQuote(db, base, quote)
  const back = db.query<StoredRate>(PAIR, [quote, base]).find(({ pool }) => pool === 'tenant')
  if (!back) return found
  const { n, d } = parseRate(back.rate)
  // d/n is the way back turned round
  return found.ratio.n * n > found.ratio.d * d ? { ratio: { n: d, d: n }, via: 'inverse', rates: [back] } : found
}

/** Minor units of `base` in minor units of `quote`, half-even unless told. */
export const applyQuote = (
  minor: bigint,
  base: string,
  quote: string,
  { ratio }: Quote,
  rounding: Rounding = 'half-even',
): bigint => convertByRatio(minor, base, quote, ratio, rounding)

/** A ratio as a decimal with up to 18 places, cut, for people and logs; calculations use the ratio. */
export function ratioText({ n, d }: { n: bigint; d: bigint }): string {
  const digits = ((n * 10n ** 18n) / d).toString().padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`.replace(/\.?0+$/, '')
}

/** What a row keeps of the rate it was made with. `asOf` is the oldest of its rates. */
export const frozenQuote = (quote: Quote) => ({
  rate: ratioText(quote.ratio),
  rateIds: quote.rates.map(({ id }) => id),
  rateSource: quote.rates.length === 0 ? null : [...new Set(quote.rates.map(({ source }) => source))].join(', '),
  rateAsOf: quote.rates.length === 0 ? null : Math.min(...quote.rates.map(({ createdAt }) => createdAt)),
})
