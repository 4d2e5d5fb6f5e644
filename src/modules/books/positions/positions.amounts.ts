import { formatAmount, MoneyError, roundAmount } from '../../../platform/money.ts'
import type { PositionRow, ReportedAmounts } from './positions.table.ts'

const FIELDS = ['profit', 'swap', 'commission'] as const
/** Amounts in the currency of an account, or as the platform said them while none is known. */
export type StoredAmounts = Pick<PositionRow, 'currency' | 'reported' | 'spread' | (typeof FIELDS)[number]>

/** Returns a platform's amounts unchanged, since the currency is unknown without a linked account. */
export const asReported = (said: ReportedAmounts): StoredAmounts => ({
  currency: null,
  reported: said,
  profit: 0n,
  swap: 0n,
  commission: 0n,
  spread: null,
})

/** Returns the amounts in the currency of the account; null if one is too large for it. */
export function inCurrency(said: ReportedAmounts, currency: string): StoredAmounts | null {
  try {
    const [profit = 0n, swap = 0n, commission = 0n] = FIELDS.map((field) => roundAmount(said[field], currency))
    const spread = said.spread === undefined ? null : roundAmount(said.spread, currency)
    return { currency, reported: null, profit, swap, commission, spread }
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Returns whether two reports have the same value of one of the amounts. */
export const sameAmount = (a: StoredAmounts, b: StoredAmounts, field: (typeof FIELDS)[number] | 'spread'): boolean =>
  a[field] === b[field] && a.reported?.[field] === b.reported?.[field]

/** Returns the wire form of the amounts. */
export function toWireAmounts(row: StoredAmounts): Omit<ReportedAmounts, 'spread'> & { spread: string | null } {
  const { currency, reported } = row
  if (currency === null) return { spread: null, ...(reported ?? { profit: '0', swap: '0', commission: '0' }) }
  const amount = (field: (typeof FIELDS)[number]) => formatAmount(row[field], currency)
  const spread = row.spread === null ? null : formatAmount(row.spread, currency)
  return { profit: amount('profit'), swap: amount('swap'), commission: amount('commission'), spread }
}
