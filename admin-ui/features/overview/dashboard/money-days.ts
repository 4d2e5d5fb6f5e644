import type { Span } from '../../../lib/lists/places.ts'
import type { Dashboard } from './dashboard.api.ts'

export type Sum = { count: number; amount: string }
export type MoneyDay = Span & { day: string; deposits: Sum; withdrawals: Sum; net: string }
/** `days` has every day of the period, also those on which nothing moved. */
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

/** Returns every currency in which money moved or waits, the busiest first. */
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

/** Returns what moved today in the currencies other than the shown one. */
export const othersToday = (
  currencies: readonly CurrencyMoney[],
  shown: string,
): { currency: string; today: MoneyDay }[] =>
  currencies.flatMap(({ currency, today }) =>
    currency !== shown && today && today.deposits.count + today.withdrawals.count > 0 ? [{ currency, today }] : [],
  )

/** A bar is identified by the index of its day, and by whether it shows money in or out. */
export type BarAt = { index: number; side: 'in' | 'out' }

/** Returns the bar that an arrow, Home or End leads to; null for another key. */
export function barAfter(key: string, { index, side }: BarAt, count: number): BarAt | null {
  const last = count - 1
  if (key === 'ArrowLeft') return { index: Math.max(0, index - 1), side }
  if (key === 'ArrowRight') return { index: Math.min(last, index + 1), side }
  if (key === 'Home') return { index: 0, side }
  if (key === 'End') return { index: last, side }
  if (key === 'ArrowUp') return { index, side: 'in' }
  return key === 'ArrowDown' ? { index, side: 'out' } : null
}

/** Either side of the line has at least this share of the chart, so that both can be pointed at. */
const LEAST_SHARE = 0.12

type Heights = {
  /** The part of the chart above its line, from 0 to 1. */
  share: number
  /** The heights of each day are in per cent of the part above the line, and of the part below it. */
  days: { up: number; down: number }[]
}

/**
 * Returns where the line between money in and out lies, and how high the bars are. Both sides have one scale, so the
 * larger side gets more room. Only the drawing is rounded, never a figure.
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
