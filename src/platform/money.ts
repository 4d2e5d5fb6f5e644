import { say } from '../words/say.ts'

type MoneyErrorCode =
  | 'amount_malformed'
  | 'amount_scale'
  | 'amount_range'
  | 'currency_unknown'
  | 'rate_malformed'
  | 'rate_range'

/** Every function here throws this error; `code` is stable, `message` never repeats the submitted text. */
export class MoneyError extends Error {
  readonly code: MoneyErrorCode
  constructor(code: MoneyErrorCode, message: string) {
    super(message)
    this.name = 'MoneyError'
    this.code = code
  }
}

// The active ISO 4217 currencies by number of decimals, three that history has (ANG, BGN, HRK), the cents of cent
// accounts, and the crypto currencies that brokers take. Chains with more than eight decimals are booked with eight:
// finer amounts would soon leave the exact range of an SQLite integer.
const codesByScale: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP
    CVE CZK DKK DOP DZD EGP ERN ETB EUC EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES
    KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
    NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB
    TJS TMT TOP TRY TTD TWD TZS UAH USC USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
  6: 'TRX USDC USDT XRP',
  8: 'BNB BTC DOGE ETH LTC SOL',
}

const scales = new Map<string, number>(
  Object.entries(codesByScale).flatMap(([scale, codes]) => codes.split(/\s+/).map((code) => [code, Number(scale)])),
)

/** The largest amount, in minor units, that SQLite, `bigint` and `number` all hold exactly: 2^53 − 1. */
export const maxMinor = BigInt(Number.MAX_SAFE_INTEGER)

/** Every known currency code, sorted. */
export const currencies: readonly string[] = [...scales.keys()].sort()

/** Returns whether `code` is a known currency, in capitals. */
export const isCurrency = (code: string): boolean => scales.has(code)

const CRYPTO = new Set(['USDC', 'USDT', 'XRP', 'TRX', 'BTC', 'ETH', 'LTC', 'BNB', 'DOGE', 'SOL'])

/** Returns whether a currency is a crypto currency; all others are of ISO 4217. */
export const isCrypto = (code: string): boolean => CRYPTO.has(code)

/** Returns whether a currency is the cents of cent accounts: a hundred USC are one USD, and a hundred EUC one EUR. */
export const isCentCurrency = (code: string): boolean => code === 'USC' || code === 'EUC'

/** Returns the number of decimals of a currency; throws `currency_unknown`. */
export const getScale = (code: string): number => {
  const scale = scales.get(code)
  if (scale === undefined) throw new MoneyError('currency_unknown', say('money.error.currency_unknown'))
  return scale
}

const inRange = (minor: bigint): bigint => {
  if (minor > maxMinor || minor < -maxMinor) throw new MoneyError('amount_range', say('money.error.amount_range'))
  return minor
}

const plainDecimal = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/**
 * Returns decimal text as minor units: `parseAmount('12.5', 'USD')` is 1250n. Fewer decimals than the currency has are
 * accepted, more are refused even if they are zeros. Throws `amount_malformed`, `amount_scale`, `amount_range`,
 * `currency_unknown`.
 */
export const parseAmount = (text: string, currency: string): bigint => {
  const scale = getScale(currency)
  const [matched, sign, whole = '', fraction = ''] = plainDecimal.exec(text) ?? []
  if (matched === undefined) throw new MoneyError('amount_malformed', say('money.error.amount_malformed'))
  if (fraction.length > scale) {
    throw new MoneyError('amount_scale', say('money.error.amount_scale', { currency, scale }))
  }
  // checked before `BigInt`, which would block the event loop while it parses megabytes of digits
  if (whole.length > 16) throw new MoneyError('amount_range', say('money.error.amount_range'))
  const minor = inRange(BigInt(whole + fraction.padEnd(scale, '0')))
  return sign === '-' ? -minor : minor
}

/**
 * As `parseAmount`, but also takes zeros beyond the decimals of the currency, as machines write them: `5000.00` JPY.
 * Text that people type is not for it: by `1.000` they may mean thousands.
 */
export const parseMachineAmount = (text: string, currency: string): bigint => {
  const scale = getScale(currency)
  const [matched, sign = '', whole = '', fraction = ''] = plainDecimal.exec(text) ?? []
  if (matched === undefined || !/^0+$/.test(fraction.slice(scale))) return parseAmount(text, currency)
  return parseAmount(`${sign}${whole}.${fraction.slice(0, scale)}`.replace(/\.$/, ''), currency)
}

/**
 * As `parseAmount`, but rounds decimals beyond those of the currency, half to even. It is for amounts that other
 * systems report, never for money that we move. Takes at most 64 decimals. Throws the codes of `parseAmount`.
 */
export const roundAmount = (text: string, currency: string): bigint => {
  const scale = getScale(currency)
  const [, sign, whole = '', fraction = ''] = plainDecimal.exec(text) ?? []
  if (fraction.length <= scale || whole.length > 16 || fraction.length > 64) return parseAmount(text, currency)
  const minor = inRange(divHalfEven(BigInt(whole + fraction), 10n ** BigInt(fraction.length - scale)))
  return sign === '-' ? -minor : minor
}

/** Returns minor units as text with every decimal of the currency: 1250n USD is `12.50`. Throws `currency_unknown`. */
export const formatAmount = (minor: bigint, currency: string): string => {
  const scale = getScale(currency)
  const sign = minor < 0n ? '-' : ''
  const digits = (minor < 0n ? -minor : minor).toString().padStart(scale + 1, '0')
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Returns n ÷ d rounded to the nearest integer, a tie to the even one. Throws RangeError if d is zero. */
export const divHalfEven = (n: bigint, d: bigint): bigint => {
  if (d === 0n) throw new RangeError('Division by zero.')
  const quotient = n / d
  const remainder = n % d
  const doubled = 2n * (remainder < 0n ? -remainder : remainder)
  const divisor = d < 0n ? -d : d
  const up = doubled > divisor || (doubled === divisor && quotient % 2n !== 0n)
  if (!up) return quotient
  return n < 0n === d < 0n ? quotient + 1n : quotient - 1n
}

/** A rate as an exact fraction, both parts above zero. */
export type Ratio = { n: bigint; d: bigint }

/**
 * Returns a rate as an exact fraction: `1.25` is 125/100. The text is a plain decimal above zero with at most 18 digits
 * before and 18 after the point. Throws `rate_malformed` and, for zero or too many digits, `rate_range`.
 */
export const parseRate = (rate: string): Ratio => {
  const [matched, sign, whole = '', fraction = ''] = plainDecimal.exec(rate) ?? []
  if (matched === undefined || sign === '-') {
    throw new MoneyError('rate_malformed', say('money.error.rate_malformed'))
  }
  if (whole.length > 18 || fraction.length > 18) throw new MoneyError('rate_range', say('money.error.rate_digits'))
  const n = BigInt(whole + fraction)
  if (n === 0n) throw new MoneyError('rate_range', say('money.error.rate_zero'))
  return { n, d: 10n ** BigInt(fraction.length) }
}

/** The direction of rounding; `down` is towards zero, `up` away from it. */
export type Rounding = 'half-even' | 'down' | 'up'

/**
 * Converts minor units of `from` into minor units of `to` by an exact fraction (units of `to` for one unit of `from`)
 * and rounds once; with a decimal, inverse and pivot rates would be rounded twice. Throws `rate_range`, `amount_range`,
 * `currency_unknown`.
 */
export const convertByRatio = (
  minor: bigint,
  from: string,
  to: string,
  ratio: Ratio,
  rounding: Rounding = 'half-even',
): bigint => {
  if (ratio.n <= 0n || ratio.d <= 0n) throw new MoneyError('rate_range', say('money.error.rate_zero'))
  const n = inRange(minor) * ratio.n * 10n ** BigInt(getScale(to))
  const d = ratio.d * 10n ** BigInt(getScale(from))
  if (rounding === 'half-even') return inRange(divHalfEven(n, d))
  const rest = rounding === 'up' && n % d !== 0n ? (n < 0n ? -1n : 1n) : 0n
  return inRange(n / d + rest)
}
