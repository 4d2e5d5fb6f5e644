import type { PagePath } from '../screen/page-path.ts'
import { startOfDay } from '../text/zone.ts'
import { ALL } from './filters.ts'
import type { SearchParams } from './search-params.ts'

/** A list, and the filters with which it has exactly the rows of a figure. */
export type Place = { to: PagePath; search: SearchParams }
/** A period of a report, whose edges are moments of the firm's time zone. */
export type Span = { startsAt: string; endsAt: string }

const toMoment = (at: Date): string => (Number.isNaN(at.getTime()) ? '' : at.toISOString())

/** Returns the period from one day of the firm to before another one. */
export const toSpan = (from: string, to: string): Span => ({
  startsAt: toMoment(startOfDay(from)),
  endsAt: toMoment(startOfDay(to)),
})

/** Returns the days of a report as one period; null if it has none. */
export const joinDays = (days: readonly Span[]): Span | null => {
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? { startsAt: first.startsAt, endsAt: last.endsAt } : null
}

const only = (search: Readonly<Record<string, string | undefined>>): SearchParams =>
  Object.fromEntries(Object.entries(search).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

/** Links to the deposits that were credited within a period, in one currency or in all. */
export const creditedIn = ({ startsAt, endsAt }: Span, currency?: string): Place => ({
  to: '/deposits',
  search: only({ status: ALL, currency, settledFrom: startsAt, settledTo: endsAt }),
})
/** Links to the withdrawals that were paid within a period, in one currency or in all. */
export const paidIn = ({ startsAt, endsAt }: Span, currency?: string): Place => ({
  to: '/withdrawals',
  search: only({ status: ALL, currency, paidFrom: startsAt, paidTo: endsAt }),
})
/** Links to the clients who registered within a period; `more` narrows them further. */
export const registeredIn = ({ startsAt, endsAt }: Span, more: SearchParams = {}): Place => ({
  to: '/traders',
  search: { from: startsAt, to: endsAt, ...more },
})
/** Links to the clients who moved money or traded within a period. */
export const activeIn = ({ startsAt, endsAt }: Span): Place => ({
  to: '/traders',
  search: { activeFrom: startsAt, activeTo: endsAt },
})
/** Links to the clients whose first deposit was credited within a period. */
export const firstDepositIn = ({ startsAt, endsAt }: Span): Place => ({
  to: '/traders',
  search: { firstDepositFrom: startsAt, firstDepositTo: endsAt },
})
/** Links to the trades of live accounts that were closed within a period. */
export const closedIn = ({ startsAt, endsAt }: Span, currency?: string): Place => ({
  to: '/positions',
  search: only({ status: ALL, live: 'true', currency, closedFrom: startsAt, closedTo: endsAt }),
})
/** Links to the transfers of a period that changed money into another currency. */
export const convertedIn = ({ startsAt, endsAt }: Span): Place => ({
  to: '/transfers',
  search: { state: 'sent,booked', converts: 'true', from: startsAt, to: endsAt },
})
/** Links to what affiliates earned within a period, in closed runs. */
export const earnedIn = ({ startsAt, endsAt }: Span, more: { sourceType?: string; currency?: string } = {}): Place => ({
  to: '/affiliates',
  search: only({ tab: 'commissions', earned: 'true', from: startsAt, to: endsAt, ...more }),
})
