import { roundAmount } from '../../../platform/money.ts'
import type { DealRow } from './deals.table.ts'

/** What a deal changes, in minor units of its currency. */
type Effect = { balance: bigint; credit: bigint }
const NOTHING: Effect = { balance: 0n, credit: 0n }
const CREDIT = ['credit', 'bonus', 'credit_compensation'] as const

type Counted = Pick<DealRow, 'kind' | 'currency' | 'profit' | 'swap' | 'commission' | 'fee' | 'state'>

/**
 * Returns what a deal changes of balance and credit; a cancelled or removed one changes nothing. Each amount is rounded
 * once.
 */
export function findEffect({ kind, currency, profit, swap, commission, fee, state }: Counted): Effect {
  if (state !== 'live') return NOTHING
  const amount = roundAmount(profit, currency)
  if (CREDIT.some((name) => name === kind)) return { balance: 0n, credit: amount }
  if (kind !== 'trade') return { balance: amount, credit: 0n }
  const rest = [swap, commission, fee].reduce((sum, text) => sum + roundAmount(text, currency), amount)
  return { balance: rest, credit: 0n }
}
