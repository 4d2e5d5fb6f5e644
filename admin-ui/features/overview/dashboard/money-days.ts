import type { SearchParams } from '../../../lib/lists/search-params.ts'
import type { Dashboard } from './dashboard.api.ts'

export type Sum = { count: number; amount: string }
type Period = { startsAt: string; endsAt: string }
export type MoneyDay = Period & { day: string; deposits: Sum; withdrawals: Sum; net: string }
/** One currency with every day of the period, also those on which nothing moved. */
export type CurrencyMoney = {
  currency: string
  net: string
  deposits: Sum
  withdrawals: Sum
  days: MoneyDay[]
  today: MoneyDay | undefined
  waiting: { deposits: Sum; toApprove: Sum; toPay: Sum }
}

const NONE: Sum = { count: 0, amount: '0' }

/** Every currency in which money moved or waits, the busiest first. */
export const byCurrency = ({ money, waiting, days, today }: Dashboard): CurrencyMoney[] => {
  const names = [...new Set([...money, ...waiting].map(({ currency }) => currency))]
  return names.map((currency) => {
    const moved = money.find((one) => one.currency === currency)
    const waits = waiting.find((one) => one.currency === currency)
    const filled = days.map(({ day, startsAt, endsAt }): MoneyDay => {
      const on = moved?.days.find((one) => one.day === day)
      return {
        day,
        startsAt,
        endsAt,
        deposits: on?.deposits ?? NONE,
        withdrawals: on?.withdrawals ?? NONE,
        net: on?.net ?? '0',
      }
    })
    return {
      currency,
      net: moved?.net ?? '0',
      deposits: moved?.deposits ?? NONE,
      withdrawals: moved?.withdrawals ?? NONE,
      days: filled,
      today: filled.find(({ day }) => day === today),
      waiting: {
        deposits: waits?.deposits ?? NONE,
        toApprove: waits?.requestedWithdrawals ?? NONE,
        toPay: waits?.approvedWithdrawals ?? NONE,
      },
    }
  })
}

/** What moved today in the currencies beside the one that is shown. */
export const othersToday = (
  currencies: readonly CurrencyMoney[],
  shown: string,
): { currency: string; today: MoneyDay }[] =>
  currencies.flatMap(({ currency, today }) =>
    currency !== shown && today && today.deposits.count + today.withdrawals.count > 0 ? [{ currency, today }] : [],
  )

/** A bar of the chart: the place of its day, and whether it stands for money in or out. */
export type BarAt = { index: number; side: 'in' | 'out' }

/** The bar that an arrow, Home or End leads to; null for another key. */
export function barAfter(key: string, { index, side }: BarAt, count: number): BarAt | null {
  const last = count - 1
  if (key === 'ArrowLeft') return { index: Math.max(0, index - 1), side }
  if (key === 'ArrowRight') return { index: Math.min(last, index + 1), side }
  if (key === 'Home') return { index: 0, side }
  if (key === 'End') return { index: last, side }
  if (key === 'ArrowUp') return { index, side: 'in' }
  return key === 'ArrowDown' ? { index, side: 'out' } : null
}

/** The list of deposits that were credited within a period. */
export const creditedIn = (currency: string, { startsAt, endsAt }: Period): SearchParams => ({
  status: '*',
  currency,
  settledFrom: startsAt,
  settledTo: endsAt,
})

/** The list of withdrawals that were paid within a period. */
export const paidIn = (currency: string, { startsAt, endsAt }: Period): SearchParams => ({
  status: '*',
  currency,
  paidFrom: startsAt,
  paidTo: endsAt,
})

/** The least share of the chart that either side of its line has, so that both can be pointed at. */
const LEAST_SHARE = 0.12

type Heights = {
  /** The part of the chart above its line. */
  share: number
  /** Of each day, in per cent of the part of the chart that it stands in. */
  days: { up: number; down: number }[]
}

/**
 * Where the line between money in and out lies, and how high the bars are, on one scale for
 * both: the larger side gets more room. Only the drawing is rounded, never a figure.
 */
export const scaleBars = (days: readonly MoneyDay[]): Heights => {
  const mostIn = Math.max(...days.map(({ deposits }) => +deposits.amount), 0)
  const mostOut = Math.max(...days.map(({ withdrawals }) => +withdrawals.amount), 0)
  const most = mostIn + mostOut
  const share = most === 0 ? 0.5 : Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, mostIn / most))
  const scale = most === 0 ? 0 : Math.min(share / mostIn, (1 - share) / mostOut)
  const height = ({ amount, count }: Sum, room: number): number =>
    count === 0 ? 0 : Math.max(2, ((+amount * scale) / room) * 100)
  return {
    share,
    days: days.map(({ deposits, withdrawals }) => ({
      up: height(deposits, share),
      down: height(withdrawals, 1 - share),
    })),
  }
}
