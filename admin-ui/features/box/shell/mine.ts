import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import type { SearchParams } from '../../../lib/lists/search-params.ts'

export type MyWork = Answer<'notifications.mine'>['data'][number]

/** What waits for the viewer in person. The stream tells when to ask again; what it does not count is asked for too. */
export const mineQuery = queryOptions({
  queryKey: ['mine'],
  queryFn: () => call('notifications.mine'),
  staleTime: 2000,
  refetchInterval: 60_000,
})

/** What makes a piece of work new: another one, or a ticket in which somebody wrote again. */
export const formatWorkKey = ({ kind, id, at }: MyWork): string => `${kind} ${id} ${at}`

/** The work that the viewer has not looked at yet. */
export const unseen = (work: readonly MyWork[], seen: readonly string[]): MyWork[] =>
  work.filter((one) => !seen.includes(formatWorkKey(one)))

/** Where a piece of work is done. */
export function linkToWork({ kind, id }: Pick<MyWork, 'kind' | 'id'>): { to: string; search: SearchParams } {
  if (kind === 'ticket') return { to: `/support/${id}`, search: {} }
  if (kind === 'withdrawal') return { to: `/withdrawals/${id}`, search: {} }
  return kind === 'kyc' ? { to: `/kyc/${id}`, search: {} } : { to: '/leads', search: { lead: id } }
}
