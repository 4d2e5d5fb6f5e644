import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { fetchMails } from '../../base/mail/mail.api.ts'
import { fetchSubscriptions } from '../../firm/webhooks/webhooks.api.ts'

export type Dashboard = Answer<'reporting.dashboard'>

/** What only an administrator looks after: webhooks that fail or were turned off, and mail that waits. */
export const careQuery = queryOptions({
  queryKey: ['dashboard', 'care'],
  queryFn: async () => {
    const [webhooks, mails] = await Promise.all([
      fetchSubscriptions({ limit: 200 }),
      fetchMails({ status: 'held', count: true, limit: 1 }),
    ])
    return {
      failing: webhooks.data.filter(({ status, health }) => status === 'active' && health.failures > 0),
      mails: mails.total ?? 0,
    }
  },
  refetchInterval: 60_000,
})

/** Money in and out of the last 30 days of the firm's zone, and what waits now. */
export const moneyQuery = queryOptions({
  queryKey: ['dashboard', 'money'],
  queryFn: () => call('reporting.dashboard'),
  // Today ends, also while nothing is settled.
  refetchInterval: 5 * 60_000,
})
