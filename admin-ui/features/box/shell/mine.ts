import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'

export type MyWork = Answer<'notifications.mine'>['data'][number]

/**
 * Reads the viewer's own work: after a change in the stream, and each minute, since the stream does not count all of
 * it.
 */
export const mineQuery = queryOptions({
  queryKey: ['mine'],
  queryFn: () => call('notifications.mine'),
  staleTime: 2000,
  refetchInterval: 60_000,
})

/** Identifies a piece of work by its time too, so that a ticket with a new message counts as new work. */
export const formatWorkKey = ({ kind, id, at }: MyWork): string => `${kind} ${id} ${at}`

/** Lists the work that the viewer has not looked at yet. */
export const unseen = (work: readonly MyWork[], seen: readonly string[]): MyWork[] =>
  work.filter((one) => !seen.includes(formatWorkKey(one)))

/** Returns the page on which a piece of work is done. */
export function linkToWork({ kind, id }: Pick<MyWork, 'kind' | 'id'>): { to: string; search: SearchParams } {
  if (kind === 'ticket') return { to: `/support/${id}`, search: {} }
  if (kind === 'withdrawal') return { to: `/withdrawals/${id}`, search: {} }
  return kind === 'kyc' ? { to: `/kyc/${id}`, search: {} } : { to: '/leads', search: { lead: id } }
}
