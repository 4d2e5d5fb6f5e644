import { queryOptions } from '@tanstack/react-query'
import type { Dashboard } from '../../../src/modules/reporting/reporting.model.ts'
import { get, type Page, type Query } from '../../api.ts'
import { fetchMails } from '../mail/mail.api.ts'
import { fetchSubscriptions } from '../webhooks/webhooks.api.ts'

export type { Dashboard }

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

/** Money in and out of the last 30 days of the firm's zone, and what waits now. */
export const moneyQuery = queryOptions({
  queryKey: ['dashboard', 'money'],
  queryFn: (): Promise<Dashboard> => get('/v1/admin/reporting/dashboard'),
  // Today ends, also while nothing is settled.
  refetchInterval: 5 * 60_000,
})
