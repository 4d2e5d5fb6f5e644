import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api.ts'

/** The figures are read again after this many milliseconds; the server itself keeps them for a minute. */
const EVERY = 5 * 60_000

/** Reads what the firm holds and what moved in the last 30 days, with the days before, in one currency. */
export const firmQuery = (currency: string) =>
  queryOptions({
    queryKey: ['dashboard', 'firm', currency],
    queryFn: () => call('reporting.dashboard', { query: { currency } }),
    refetchInterval: EVERY,
  })

/** Reads what the firm earned from clients in the last 30 days, with the days before. */
export const earnedQuery = (currency: string) =>
  queryOptions({
    queryKey: ['dashboard', 'earned', currency],
    queryFn: () => call('reporting.revenue', { query: { currency } }),
    refetchInterval: EVERY,
  })

/** Reads the open volume by symbol. */
export const exposureQuery = queryOptions({
  queryKey: ['dashboard', 'exposure'],
  queryFn: () => call('positions.heatmap'),
  refetchInterval: EVERY,
})
