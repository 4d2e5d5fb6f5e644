import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { formatAmount } from '../../../platform/money.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import type { DashboardFirm } from './dashboard.model.ts'
import { addConverted, amountOut, type Conversion } from './reporting.conversion.ts'

/** This many clients with the most money are named. */
const MOST_NAMED = 10
/** This many clients are chosen by approximate sums, so that the exact largest ones are among them. */
const MOST_CHOSEN = 50

// the index wallets_totals has every column of these statements, client by client
const BALANCE = sql`${wallets.available} + ${wallets.held}`
const HELD = statement(
  sql`SELECT ${listed({ currency: wallets.currency, n: sql`sum(${BALANCE} > 0)`, total: sumAsText(BALANCE) })}
  FROM ${wallets} WHERE ${wallets.tenantId} = ?1 GROUP BY ${wallets.currency} HAVING sum(${BALANCE} > 0) > 0`,
)
/** Selects the clients to sum exactly; ?2 has the approximate value of a minor unit of each currency. */
const CANDIDATES = statement(
  sql`SELECT ${listed({ traderId: wallets.traderId })} FROM ${wallets} INDEXED BY wallets_totals
  JOIN json_each(?2) AS rate ON rate.key = ${wallets.currency}
  WHERE ${wallets.tenantId} = ?1 GROUP BY ${wallets.traderId} ORDER BY total((${BALANCE}) * rate.value) DESC LIMIT ?3`,
)
const BALANCES_OF = statement(
  sql`SELECT ${listed({ traderId: wallets.traderId, currency: wallets.currency, balance: sql`${BALANCE}` })}
  FROM ${wallets} WHERE ${wallets.tenantId} = ?1 AND ${wallets.traderId} IN (SELECT value FROM json_each(?2))`,
)

type HeldRow = { currency: string; n: number; total: string }
type Balance = { traderId: string; currency: string; balance: number }
/** Converts an amount at today's rate; null without one. */
type Convert = (minor: bigint, currency: string) => bigint | null

/** Reads what the firm holds for its clients, by currency and in all. */
export function readHeld(
  db: Reader,
  conversion: Conversion,
  { currency: into, today }: { currency: string; today: string },
): DashboardFirm['held'] {
  const rows = db.query<HeldRow>(HELD).map(({ currency, n, total }) => {
    const minor = readSum(total)
    return { currency, wallets: n, minor, converted: conversion.convert(minor, currency, today) }
  })
  const size = ({ converted }: (typeof rows)[number]): bigint => converted ?? -1n
  return {
    total: amountOut(
      rows.reduce<bigint | null>((sum, { converted }) => addConverted(sum, converted), 0n),
      into,
    ),
    currencies: rows
      .sort((a, b) => (size(a) > size(b) ? -1 : size(a) < size(b) ? 1 : 0))
      .map(({ currency, wallets: n, minor, converted }) => ({
        currency,
        wallets: n,
        amount: formatAmount(minor, currency),
        converted: amountOut(converted, into),
      })),
  }
}

/** An amount so large that its conversion shows the value of a minor unit to twelve digits. */
const SAMPLE = 10n ** 12n

/**
 * Reads the clients for whom the firm holds most, over all their wallets in these currencies, each of which has a rate.
 * Names are added later, for readers who may see them.
 */
export function readLargest(
  db: Reader,
  currencies: readonly string[],
  convert: Convert,
  into: string,
): NonNullable<DashboardFirm['largest']> {
  const units = Object.fromEntries(
    currencies.map((currency) => [currency, Number(convert(SAMPLE, currency) ?? 0n) / Number(SAMPLE)]),
  )
  const chosen = db.query<{ traderId: string }>(CANDIDATES, [JSON.stringify(units), MOST_CHOSEN])
  const totals = new Map<string, bigint>()
  const ids = JSON.stringify(chosen.map(({ traderId }) => traderId))
  for (const { traderId, currency, balance } of db.query<Balance>(BALANCES_OF, [ids])) {
    const value = currencies.includes(currency) ? convert(BigInt(balance), currency) : null
    totals.set(traderId, (totals.get(traderId) ?? 0n) + (value ?? 0n))
  }
  return [...totals]
    .filter(([, total]) => total > 0n)
    .sort(([a, one], [b, other]) => (one > other ? -1 : one < other ? 1 : a < b ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(([traderId, total]) => ({ traderId, name: null, balance: formatAmount(total, into) }))
}
