import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import type { Role } from '../../../lib/api/session.ts'
import type { Resource } from '../../../lib/api/stale-queries.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { say } from '../../../lib/text/words.ts'

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
    one: say('parts.ticket_overdue'),
    many: say('parts.tickets_overdue'),
    to: '/support',
    search: { tab: 'overdue' },
    least: 'operator',
  },
  {
    count: 'failedScreenings',
    one: say('parts.sanctions_list_that_could'),
    many: say('parts.sanctions_lists_that_could'),
    to: '/sanctions',
    search: { tab: 'lists' },
    least: 'admin',
  },
  {
    count: 'openSanctions',
    one: say('parts.sanctions_match_to_decide'),
    many: say('parts.sanctions_matches_to_decide'),
    to: '/sanctions',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedWithdrawals',
    one: say('parts.withdrawal_to_approve'),
    many: say('parts.withdrawals_to_approve'),
    to: '/withdrawals',
    search: {},
    least: 'manager',
  },
  {
    count: 'approvedWithdrawals',
    one: say('parts.withdrawal_to_pay'),
    many: say('parts.withdrawals_to_pay'),
    to: '/withdrawals',
    search: { status: 'approved' },
    least: 'manager',
  },
  {
    count: 'pendingDeposits',
    one: say('parts.deposit_to_decide'),
    many: say('parts.deposits_to_decide'),
    to: '/deposits',
    search: {},
    least: 'manager',
  },
  {
    count: 'pendingKyc',
    one: say('parts.identity_check_to_review'),
    many: say('parts.identity_checks_to_review'),
    to: '/kyc',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedPayouts',
    one: say('parts.queue.payout'),
    many: say('parts.queue.payouts'),
    to: '/affiliates',
    search: { tab: 'payouts' },
    least: 'admin',
  },
  {
    count: 'requestedAdjustments',
    one: say('parts.adjustment_to_approve'),
    many: say('parts.adjustments_to_approve'),
    to: '/adjustments',
    search: {},
    least: 'admin',
  },
  {
    count: 'pspExceptions',
    one: say('parts.gateway_message_that'),
    many: say('parts.gateway_messages_that'),
    to: '/gateways',
    search: { tab: 'exceptions' },
    least: 'manager',
  },
  {
    count: 'sentTransfers',
    one: say('parts.transfer_platform_has_not'),
    many: say('parts.transfers_platform_has_not'),
    to: '/transfers',
    search: { state: 'sent' },
    least: 'manager',
  },
  {
    count: 'unconfirmedRates',
    one: say('parts.unusual_exchange_rate_to'),
    many: say('parts.unusual_exchange_rates_to'),
    to: '/rates',
    search: {},
    least: 'admin',
  },
  {
    count: 'openTickets',
    one: say('parts.ticket_to_answer'),
    many: say('parts.tickets_to_answer'),
    to: '/support',
    search: {},
    least: 'operator',
  },
  {
    count: 'newLeads',
    one: say('parts.new_lead'),
    many: say('parts.new_leads'),
    to: '/leads',
    search: { status: 'new' },
    least: 'operator',
  },
]
