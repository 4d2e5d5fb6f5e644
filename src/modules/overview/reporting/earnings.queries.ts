import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { formatAmount } from '../../../platform/money.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { quoteAt } from '../../books/fx/fx.quote-at.ts'
import { positionClosings as closings, positions } from '../../books/positions/positions.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { addConverted, amountOut, type Conversion, convertBy, createConversion } from './reporting.conversion.ts'
import { listDays, type Period, type Stretch } from './reporting.period.ts'
import { EARNED_PARTS, type Earnings } from './revenue.model.ts'

// Demo trades earn nothing, and nor do trades opened while their account was a demo. A position without an account has
// no currency, so it is counted but not summed.
const CLOSED = statement(
  sql`SELECT ${listed({
    currency: closings.currency,
    n: sql`count(*)`,
    withoutSpread: sql`sum(${closings.spread} IS NULL)`,
    spread: sumAsText(sql`coalesce(${closings.spread}, 0)`),
    commission: sumAsText(sql`abs(${closings.commission})`),
    swap: sumAsText(sql`-${closings.swap}`),
    house: sumAsText(sql`-${closings.profit}`),
  })}
  FROM ${closings} CROSS JOIN ${positions} ON ${positions.tenantId} = ?1 AND ${positions.id} = ${closings.positionId}
  LEFT JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}
  WHERE ${closings.tenantId} = ?1 AND ${closings.closedAt} >= ?2 AND ${closings.closedAt} < ?3 AND ${closings.void} = 0
    AND (${closings.currency} IS NULL OR ${accounts.isDemo} = 0
      AND ${closings.openedAt} >= coalesce(${accounts.liveSince}, 0))
  GROUP BY ${closings.currency}`,
)
const CONVERTED = statement(
  sql`SELECT ${listed({
    sold: transfers.fromCurrency,
    given: transfers.fromAmount,
    bought: transfers.toCurrency,
    got: transfers.toAmount,
    at: transfers.createdAt,
  })}
  FROM ${transfers} WHERE ${transfers.tenantId} = ?1 AND ${transfers.createdAt} >= ?2 AND ${transfers.createdAt} < ?3
    AND ${transfers.fromCurrency} <> ${transfers.toCurrency} AND ${transfers.state} <> 'refused'`,
)

type ClosedRow = Record<'spread' | 'commission' | 'swap' | 'house', string> & {
  currency: string | null
  n: number
  withoutSpread: number
}
type ConvertedRow = { sold: string; given: number; bought: string; got: number; at: number }
type Part = (typeof EARNED_PARTS)[number]
type One = { part: Part; currency: string; minor: bigint }

/**
 * Yields the margin of each conversion: what the client would have got at the rate that the firm would have looked up
 * at that moment, less what they got. If that rate is missing, the margin is unknown, and the whole amount is listed as
 * lacking a rate.
 */
function* margins(db: Reader, conversion: Conversion, { name, start, end }: Stretch): Generator<One | null> {
  for (const { sold, given, bought, got, at } of db.query<ConvertedRow>(CONVERTED, [start, end])) {
    const quote = quoteAt(db, sold, bought, at)
    if (quote) {
      const fair = convertBy(BigInt(given), sold, bought, quote)
      yield { part: 'conversion', currency: bought, minor: fair - BigInt(got) }
    } else {
      conversion.noteMissing(BigInt(given), sold, name)
      yield null
    }
  }
}

/** Reads what the firm earned from its clients in a period. RULES “Reports”. */
export function readEarnings(
  db: Reader,
  { from, to }: Period,
  into: { currency: string; timeZone: string; now: number },
): { earnings: Earnings; charged: bigint | null } {
  const conversion = createConversion(db, into)
  const sums = new Map<string, One & { converted: bigint | null }>()
  const parts = new Map<Part, bigint | null>(EARNED_PARTS.map((part) => [part, 0n]))
  const counts = { trades: 0, withoutSpread: 0, unlinked: 0 }
  for (const day of listDays({ from, to }, into.timeZone)) {
    const add = ({ part, currency, minor }: One): void => {
      if (minor === 0n) return
      const key = `${part} ${currency}`
      const sum = sums.get(key) ?? { part, currency, minor: 0n, converted: 0n }
      const converted = conversion.convert(minor, currency, day.name)
      sum.minor += minor
      sum.converted = addConverted(sum.converted, converted)
      sums.set(key, sum)
      parts.set(part, addConverted(parts.get(part) ?? null, converted))
    }
    for (const { currency, n, withoutSpread, ...texts } of db.query<ClosedRow>(CLOSED, [day.start, day.end])) {
      if (currency === null) {
        counts.unlinked += n
        continue
      }
      counts.trades += n
      counts.withoutSpread += withoutSpread
      for (const part of ['spread', 'commission', 'swap', 'house'] as const)
        add({ part, currency, minor: readSum(texts[part]) })
    }
    for (const margin of margins(db, conversion, day)) {
      if (margin) add(margin)
      else parts.set('conversion', null)
    }
  }
  const partSum = (part: Part): bigint | null => parts.get(part) ?? null
  const charged = EARNED_PARTS.filter((part) => part !== 'house')
    .map(partSum)
    .reduce<bigint | null>(addConverted, 0n)
  const out = (minor: bigint | null) => amountOut(minor, into.currency)
  const earnings = {
    from,
    to,
    total: out(charged),
    parts: EARNED_PARTS.map((part) => ({ part, converted: out(partSum(part)) })),
    data: [...sums.values()]
      .sort((a, b) => EARNED_PARTS.indexOf(a.part) - EARNED_PARTS.indexOf(b.part) || (a.currency < b.currency ? -1 : 1))
      .map(({ part, currency, minor, converted }) => ({
        part,
        currency,
        amount: formatAmount(minor, currency),
        converted: out(converted),
      })),
    ...counts,
    missingRates: conversion.takeMissing(),
  }
  return { earnings, charged }
}
