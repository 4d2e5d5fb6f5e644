import type { Reader } from '../../../platform/db/reader.ts'
import { formatAmount } from '../../../platform/money.ts'
import { wallets } from './wallets.table.ts'

/** Returns what clients have in all wallets, available and held, by currency; clients without money are left out. */
export function describeBalances(db: Reader, traderIds: readonly string[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>()
  for (const { traderId, currency, available, held } of db.list(
    wallets,
    { traderId: traderIds },
    { orderBy: 'currency' },
  )) {
    const balance = available + held
    if (balance === 0n) continue
    const text = `${formatAmount(balance, currency)} ${currency}`
    const before = told.get(traderId)
    told.set(traderId, before === undefined ? text : `${before}, ${text}`)
  }
  return told
}
