import { amountOf } from '../../platform/http/fields.ts'
import { formatAmount, MoneyError, roundAmount } from '../../platform/money.ts'
import type { PositionRow, ReportedAmounts } from './positions.table.ts'

const FIELDS = ['profit', 'swap', 'commission'] as const
type Stored = Pick<PositionRow, 'currency' | 'reported' | (typeof FIELDS)[number]>

/**
 * What a platform says a position made, as it is kept: in the account's currency, or word for word while nobody owns
 * the account and so nobody knows the currency. `at` is its place in the request.
 */
export function storedAmounts(said: ReportedAmounts, currency: string | null, at: string): Stored {
  if (currency === null) return { currency, reported: said, profit: 0n, swap: 0n, commission: 0n }
  const amount = (field: (typeof FIELDS)[number]) => amountOf(`${at}.${field}`, said[field], currency, roundAmount)
  return { currency, reported: null, profit: amount('profit'), swap: amount('swap'), commission: amount('commission') }
}

/** The same of a position whose account is known by now; null when an amount is more than the currency can hold. */
export function inCurrency(said: ReportedAmounts, currency: string): Stored | null {
  try {
    const [profit = 0n, swap = 0n, commission = 0n] = FIELDS.map((field) => roundAmount(said[field], currency))
    return { currency, reported: null, profit, swap, commission }
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Whether two reports say the same about one of the amounts. */
export const sameAmount = (a: Stored, b: Stored, field: (typeof FIELDS)[number]): boolean =>
  a[field] === b[field] && a.reported?.[field] === b.reported?.[field]

/** The amounts on the wire. */
export function amountsOf(row: Stored): ReportedAmounts {
  const { currency, reported } = row
  if (currency === null) return reported ?? { profit: '0', swap: '0', commission: '0' }
  const amount = (field: (typeof FIELDS)[number]) => formatAmount(row[field], currency)
  return { profit: amount('profit'), swap: amount('swap'), commission: amount('commission') }
}
