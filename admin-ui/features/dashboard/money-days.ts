import type { SearchParams } from '../../lib/search-params.ts'
import type { Dashboard } from './dashboard.api.ts'

export type Sum = { count: number; amount: string }
export type Period = { startsAt: string; endsAt: string }
export type MoneyDay = Period & { day: string; deposits: Sum; withdrawals: Sum; net: string }
/** One currency with every day of the period, also those on which nothing moved. */
export type CurrencyMoney = {
  currency: string
  net: string
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

/** Heights of the bars in per cent of the highest one. Only the drawing is rounded, never a figure. */
export const heightsOf = (days: readonly MoneyDay[]): { up: number; down: number }[] => {
  const most = Math.max(...days.flatMap(({ deposits, withdrawals }) => [+deposits.amount, +withdrawals.amount]), 0)
  const height = ({ amount, count }: Sum): number => (count === 0 ? 0 : Math.max(2, (+amount / most) * 100))
  return days.map(({ deposits, withdrawals }) => ({ up: height(deposits), down: height(withdrawals) }))
}
