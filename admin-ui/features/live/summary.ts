import { queryOptions, useQuery } from '@tanstack/react-query'
import { say } from '../../../src/words/say.ts'
import { type Answer, call } from '../../api.ts'
import type { PagePath } from '../../lib/page-path.ts'
import type { Role } from '../../lib/session.ts'
import type { Resource } from '../../lib/stale.ts'

export type Summary = Answer<'notifications.summary'>

/** What waits for staff. The stream keeps it current; it is asked for once, and again while the stream is down. */
export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: () => call('notifications.summary'),
  staleTime: 30_000,
})

type Count = keyof Summary

/** What has changed where a count does. */
export const CHANGED: Record<Count, Resource> = {
  pendingKyc: 'kyc',
  openSanctions: 'sanctions',
  failedScreenings: 'sanctions',
  pendingDeposits: 'deposits',
  requestedWithdrawals: 'withdrawals',
  approvedWithdrawals: 'withdrawals',
  openTickets: 'support',
  overdueTickets: 'support',
  newLeads: 'leads',
  requestedAdjustments: 'adjustments',
  requestedPayouts: 'payouts',
  pspExceptions: 'gateways',
  sentTransfers: 'transfers',
  unconfirmedRates: 'fx',
}

/** Which count stands beside which page in the side bar. */
const PAGES: Partial<Record<PagePath, Count>> = {
  '/deposits': 'pendingDeposits',
  '/withdrawals': 'requestedWithdrawals',
  '/kyc': 'pendingKyc',
  '/sanctions': 'openSanctions',
  '/support': 'openTickets',
  '/leads': 'newLeads',
  '/adjustments': 'requestedAdjustments',
  '/affiliates': 'requestedPayouts',
  '/gateways': 'pspExceptions',
  '/transfers': 'sentTransfers',
}

/** How many rows of a page wait; null where there is no such count, or the viewer may not know it. */
export const useWaitingOn = (): ((page: PagePath) => number | null) => {
  const { data } = useQuery(summaryQuery)
  return (page) => {
    const count = PAGES[page]
    return count && data ? data[count] : null
  }
}

export type Queue = {
  count: Count
  one: string
  many: string
  to: PagePath
  search: Record<string, string>
  least: Role
}

/** The queues of the work list, what cannot wait first, each with the least role that may do something about it. */
export const QUEUES: readonly Queue[] = [
  {
    count: 'overdueTickets',
    one: 'Ticket is overdue',
    many: 'Tickets are overdue',
    to: '/support',
    search: { tab: 'overdue' },
    least: 'operator',
  },
  {
    count: 'failedScreenings',
    one: 'Sanctions list that could not be screened',
    many: 'Sanctions lists that could not be screened',
    to: '/sanctions',
    search: { tab: 'lists' },
    least: 'admin',
  },
  {
    count: 'openSanctions',
    one: 'Sanctions match to decide',
    many: 'Sanctions matches to decide',
    to: '/sanctions',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedWithdrawals',
    one: 'Withdrawal to approve',
    many: 'Withdrawals to approve',
    to: '/withdrawals',
    search: {},
    least: 'manager',
  },
  {
    count: 'approvedWithdrawals',
    one: 'Withdrawal to pay',
    many: 'Withdrawals to pay',
    to: '/withdrawals',
    search: { status: 'approved' },
    least: 'manager',
  },
  {
    count: 'pendingDeposits',
    one: 'Deposit to decide',
    many: 'Deposits to decide',
    to: '/deposits',
    search: {},
    least: 'manager',
  },
  {
    count: 'pendingKyc',
    one: 'Identity check to review',
    many: 'Identity checks to review',
    to: '/kyc',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedPayouts',
    one: say('affiliates.queue.one'),
    many: say('affiliates.queue.many'),
    to: '/affiliates',
    search: { tab: 'payouts' },
    least: 'admin',
  },
  {
    count: 'requestedAdjustments',
    one: 'Adjustment to approve',
    many: 'Adjustments to approve',
    to: '/adjustments',
    search: {},
    least: 'admin',
  },
  {
    count: 'pspExceptions',
    one: 'Gateway message that contradicts the books',
    many: 'Gateway messages that contradict the books',
    to: '/gateways',
    search: { tab: 'exceptions' },
    least: 'manager',
  },
  {
    count: 'sentTransfers',
    one: 'Transfer the platform has not acknowledged',
    many: 'Transfers the platform has not acknowledged',
    to: '/transfers',
    search: { state: 'sent' },
    least: 'manager',
  },
  {
    count: 'unconfirmedRates',
    one: 'Unusual exchange rate to confirm',
    many: 'Unusual exchange rates to confirm',
    to: '/rates',
    search: {},
    least: 'admin',
  },
  {
    count: 'openTickets',
    one: 'Ticket to answer',
    many: 'Tickets to answer',
    to: '/support',
    search: {},
    least: 'operator',
  },
  { count: 'newLeads', one: 'New lead', many: 'New leads', to: '/leads', search: { status: 'new' }, least: 'operator' },
]
