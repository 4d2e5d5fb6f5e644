import { sql } from 'drizzle-orm'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { MoneyError, roundAmount } from '../../../platform/money.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { readPolicy, SUM_OVER } from '../approval-policy/approval-policy.ts'
import { applyQuote, findCross, type Rates } from '../fx/fx.quotes.ts'
import { transfers } from './transfers.table.ts'

const limitErrors = defineErrors('', () => ({
  conversion_limit: [409, say('transfers.error.conversion_limit')],
}))

type Money = { amount: bigint; currency: string }

const CONVERTED = statement(
  sql`SELECT ${listed({ currency: transfers.fromCurrency, total: sumAsText(transfers.fromAmount) })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.traderId} = ?2 AND ${transfers.createdAt} > ?3
    AND ${transfers.byTrader} = 1 AND ${transfers.fromCurrency} <> ${transfers.toCurrency}
    AND ${transfers.state} <> 'refused'
  GROUP BY 1`,
)

/** Returns an amount by the mids, rounded up; null without both mids, or if it is too large to store. */
function atMids(rates: Rates, { amount, currency }: Money, into: string): bigint | null {
  const cross = findCross(rates, currency, into)
  if (!cross) return null
  try {
    return applyQuote(amount, currency, into, cross, 'up')
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/**
 * Throws 409 `conversion_limit` if a client's own conversions of the last 24 hours, this one included, exceed the
 * firm's limit. They are measured at the present mids in the currency of the approval policy; an amount that cannot be
 * measured exceeds the limit.
 */
export function refuseAboveLimit(tx: Tx, rates: Rates, traderId: string, now: Money): void {
  const { currency } = readPolicy(tx.unowned).value
  const limit = roundAmount(readFirmSettings(tx.unowned).conversion.dailyLimit, currency)
  const rows = tx.unowned.query<{ currency: string; total: string }>(CONVERTED, [traderId, tx.now - SUM_OVER])
  const all = [...rows.map((row) => ({ currency: row.currency, amount: readSum(row.total) })), now]
  const parts = all.map((money) => atMids(rates, money, currency))
  const sum = parts.reduce((total, part) => (total === null || part === null ? null : total + part), 0n)
  if (sum === null)
    throw limitErrors.conversion_limit({ detail: say('transfers.error.conversion_no_price', { currency }) })
  if (sum > limit) throw limitErrors.conversion_limit()
}
