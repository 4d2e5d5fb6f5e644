import { queryOptions } from '@tanstack/react-query'
import type { Page, Query } from '../../api.ts'
import { addDecimal } from '../../lib/decimal.ts'
import { type Deposit, fetchDeposits } from '../deposits/deposits.api.ts'
import { fetchMails } from '../mail/mail.api.ts'
import { fetchSubscriptions } from '../webhooks/webhooks.api.ts'

const METHODS = ['bank', 'card', 'wallet', 'crypto'] satisfies Deposit['method'][]
const LATEST = 200
export const DAYS = 30

const countOf = async <T>(fetch: (query: Query) => Promise<Page<T>>, query: Query): Promise<number> =>
  (await fetch({ ...query, count: true, limit: 1 })).total ?? 0

/** Pending deposits by method. */
export const pendingQuery = queryOptions({
  queryKey: ['dashboard', 'pending'],
  queryFn: () =>
    Promise.all(
      METHODS.map(async (method) => ({ method, count: await countOf(fetchDeposits, { status: 'pending', method }) })),
    ),
  refetchInterval: 60_000,
})

/** What only an administrator looks after: webhooks that fail or were turned off, and mail that waits. */
export const careQuery = queryOptions({
  queryKey: ['dashboard', 'care'],
  queryFn: async () => {
    const [webhooks, mails] = await Promise.all([
      fetchSubscriptions({ limit: 200 }),
      countOf(fetchMails, { status: 'held' }),
    ])
    return { failing: webhooks.data.filter(({ status, health }) => status === 'active' && health.failures > 0), mails }
  },
  refetchInterval: 60_000,
})

export type DaySums = { currency: string; total: string; days: { day: string; amount: string }[] }
export type MoneyIn = { currencies: DaySums[]; complete: boolean }

const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

/** The last 30 days in the viewer's zone, oldest first. */
const lastDays = (now: Date): string[] =>
  Array.from({ length: DAYS }, (_, index) =>
    dayOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1 - index))),
  )

/** Sums credited amounts by currency and day, exactly. Currencies are never added to each other; the busiest comes first. */
export const sumByDay = (deposits: readonly Deposit[], now: Date): DaySums[] => {
  const days = lastDays(now)
  const byCurrency = new Map<string, { count: number; sums: Map<string, string> }>()
  for (const { settledAt, settledAmount, currency } of deposits) {
    const day = settledAt && dayOf(new Date(settledAt))
    if (!day || !settledAmount || !days.includes(day)) continue
    const entry = byCurrency.get(currency) ?? { count: 0, sums: new Map<string, string>() }
    entry.count += 1
    entry.sums.set(day, addDecimal(entry.sums.get(day) ?? '0', settledAmount))
    byCurrency.set(currency, entry)
  }
  return [...byCurrency]
    .sort(([, a], [, b]) => b.count - a.count)
    .map(([currency, { sums }]) => ({
      currency,
      total: [...sums.values()].reduce(addDecimal, '0'),
      days: days.map((day) => ({ day, amount: sums.get(day) ?? '0' })),
    }))
}

/** Money in by day, from the latest settled deposits; `complete` is false when there were more than one page of them. */
export const moneyInQuery = queryOptions({
  queryKey: ['dashboard', 'money-in'],
  queryFn: async (): Promise<MoneyIn> => {
    const now = new Date()
    const from = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (DAYS - 1)).toISOString()
    const [settled, partly] = await Promise.all([
      fetchDeposits({ status: 'settled', from, limit: LATEST }),
      fetchDeposits({ status: 'partially_settled', from, limit: LATEST }),
    ])
    return {
      currencies: sumByDay([...settled.data, ...partly.data], now),
      complete: settled.nextCursor === null && partly.nextCursor === null,
    }
  },
})
