import { queryOptions } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { fetchMails } from '../../base/mail/mail.api.ts'
import { fetchSubscriptions } from '../../firm/webhooks/webhooks.api.ts'

export type Dashboard = Answer<'reporting.dashboard'>

/**
 * Reads what only an administrator takes care of: webhooks that fail, and held mail. Held mail to the reader's own
 * address need not be passed on, so it is not counted.
 */
export const buildCareQuery = (ownEmail: string | null) =>
  queryOptions({
    queryKey: ['dashboard', 'care', ownEmail],
    queryFn: async () => {
      const held = { status: 'held', count: true, limit: 1 } as const
      const [webhooks, mails, own] = await Promise.all([
        fetchSubscriptions({ limit: 200 }),
        fetchMails(held),
        ownEmail === null ? { total: 0 } : fetchMails({ ...held, recipient: ownEmail }),
      ])
      return {
        failing: webhooks.data.filter(({ status, health }) => status === 'active' && health.failures > 0),
        mails: (mails.total ?? 0) - (own.total ?? 0),
      }
    },
    refetchInterval: 60_000,
  })

/** Reads money in and out of the last 30 days in the firm's time zone, and what waits now. */
export const moneyQuery = queryOptions({
  queryKey: ['dashboard', 'money'],
  queryFn: () => call('reporting.dashboard'),
  // A new day begins without any event, so the figures are read again.
  refetchInterval: 5 * 60_000,
})
