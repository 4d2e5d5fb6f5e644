import { formatAmount, MoneyError, roundAmount } from '../../platform/money.ts'
import type { PositionRow, ReportedAmounts } from './positions.table.ts'

const FIELDS = ['profit', 'swap', 'commission'] as const
type Stored = Pick<PositionRow, 'currency' | 'reported' | (typeof FIELDS)[number]>

/** What a platform says a position made, word for word: while nobody owns the account nobody knows the currency. */
export const asReported = (said: ReportedAmounts): Stored => ({
  ...{ currency: null, reported: said },
  ...{ profit: 0n, swap: 0n, commission: 0n },
})

/** The same in the currency of the account; null when an amount is more than that can hold. */
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
