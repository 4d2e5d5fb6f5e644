import { queryOptions } from '@tanstack/react-query'
import type { Page, Query } from '../../api.ts'
import { addDecimal } from '../../lib/decimal.ts'
import { type Deposit, fetchDeposits } from '../deposits/deposits.api.ts'
import { fetchMails } from '../mail/mail.api.ts'
import { fetchSubscriptions } from '../webhooks/webhooks.api.ts'

const PAGE_SIZE = 200
const PAGES = 3
export const DAYS = 30

const countOf = async <T>(fetch: (query: Query) => Promise<Page<T>>, query: Query): Promise<number> =>
  (await fetch({ ...query, count: true, limit: 1 })).total ?? 0

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
export type MoneyIn = {
  currencies: DaySums[]
  /** First moment that is covered in full. */
  since: string
  /** How many days that makes, today included. */
  days: number
  /** False when there were more deposits than are read here, so that older days had to be left out. */
  complete: boolean
}

const dayOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`

const midnight = (now: Date, daysAgo: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo)

/** Sums credited amounts by currency and day, exactly. Currencies are never added to each other; the busiest comes first. */
export const sumByDay = (deposits: readonly Deposit[], days: readonly string[]): DaySums[] => {
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

/** The latest deposits of a state, newest first, up to `PAGES` pages; `until` is where it stopped early, else null. */
const readLatest = async (
  status: Deposit['status'],
  from: string,
): Promise<{ rows: Deposit[]; until: Date | null }> => {
  const rows: Deposit[] = []
  let cursor: string | null = ''
  for (let page = 0; page < PAGES && cursor !== null; page += 1) {
    const { data, nextCursor } = await fetchDeposits({ status, from, limit: PAGE_SIZE, cursor })
    rows.push(...data)
    cursor = nextCursor
  }
  const last = rows.at(-1)
  return { rows, until: cursor !== null && last ? new Date(last.createdAt) : null }
}

/** Money in by day. Where there is too much to read, only the days that are covered in full are shown. */
export const moneyInQuery = queryOptions({
  queryKey: ['dashboard', 'money-in'],
  queryFn: async (): Promise<MoneyIn> => {
    const now = new Date()
    const first = midnight(now, DAYS - 1)
    const [settled, partly] = await Promise.all([
      readLatest('settled', first.toISOString()),
      readLatest('partially_settled', first.toISOString()),
    ])
    const stops = [settled.until, partly.until].filter((stop) => stop !== null)
    const stop = stops.length > 0 ? dayOf(new Date(Math.max(...stops.map(Number)))) : null
    const all = Array.from({ length: DAYS }, (_, index) => midnight(now, DAYS - 1 - index))
    const covered = all.filter((day) => stop === null || dayOf(day) > stop)
    return {
      currencies: sumByDay([...settled.rows, ...partly.rows], covered.map(dayOf)),
      since: (covered[0] ?? midnight(now, 0)).toISOString(),
      days: covered.length,
      complete: stop === null,
    }
  },
})
