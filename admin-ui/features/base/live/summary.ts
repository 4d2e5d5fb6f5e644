import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Answer, call } from '../../../api.ts'
import { type Role, useCan } from '../../../lib/api/session.ts'
import type { Resource } from '../../../lib/api/stale-queries.ts'
import type { PagePath } from '../../../lib/screen/page-path.ts'
import { say } from '../../../lib/text/words.ts'

export type Summary = Answer<'notifications.summary'>

/**
 * Reads the counts of waiting work at the start, and again while there is no stream; else the stream keeps them
 * current.
 */
export const summaryQuery = queryOptions({
  queryKey: ['summary'],
  queryFn: () => call('notifications.summary'),
  staleTime: 30_000,
})

type Count = keyof Summary

/** Maps each count to the resource whose rows have changed when the count changes. */
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
  terminalFindings: 'platform-findings',
  unresolvedTransfers: 'platform-findings',
}

/** Maps a page to the count that the side bar shows beside it. */
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
  '/platforms': 'terminalFindings',
}

/** Returns how many rows of a page wait for the viewer; null if they may not decide them, or the page has no count. */
export const useWaitingOn = (): ((page: PagePath) => number | null) => {
  const { data } = useQuery(summaryQuery)
  const can = useCan()
  return (page) => {
    const queue = QUEUES.find(({ count }) => count === PAGES[page])
    return queue && data && can(queue.least) ? data[queue.count] : null
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

/** Lists the queues of the work list, the most urgent first, each with the lowest role that may work on it. */
export const QUEUES: readonly Queue[] = [
  {
    count: 'overdueTickets',
    one: say('parts.queue.ticket_overdue.one'),
    many: say('parts.queue.ticket_overdue.many'),
    to: '/support',
    search: { tab: 'overdue' },
    least: 'operator',
  },
  {
    count: 'failedScreenings',
    one: say('parts.queue.screening_failed.one'),
    many: say('parts.queue.screening_failed.many'),
    to: '/sanctions',
    search: { tab: 'lists' },
    least: 'admin',
  },
  {
    count: 'openSanctions',
    one: say('parts.queue.sanctions_hit.one'),
    many: say('parts.queue.sanctions_hit.many'),
    to: '/sanctions',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedWithdrawals',
    one: say('parts.queue.withdrawal.one'),
    many: say('parts.queue.withdrawal.many'),
    to: '/withdrawals',
    search: {},
    least: 'manager',
  },
  {
    count: 'approvedWithdrawals',
    one: say('parts.queue.payment.one'),
    many: say('parts.queue.payment.many'),
    to: '/withdrawals',
    search: { status: 'approved' },
    least: 'manager',
  },
  {
    count: 'pendingDeposits',
    one: say('parts.queue.deposit.one'),
    many: say('parts.queue.deposit.many'),
    to: '/deposits',
    search: {},
    least: 'manager',
  },
  {
    count: 'pendingKyc',
    one: say('parts.queue.kyc.one'),
    many: say('parts.queue.kyc.many'),
    to: '/kyc',
    search: {},
    least: 'manager',
  },
  {
    count: 'requestedPayouts',
    one: say('parts.queue.payout.one'),
    many: say('parts.queue.payout.many'),
    to: '/affiliates',
    search: { tab: 'payouts' },
    least: 'admin',
  },
  {
    count: 'requestedAdjustments',
    one: say('parts.queue.adjustment.one'),
    many: say('parts.queue.adjustment.many'),
    to: '/adjustments',
    search: {},
    least: 'admin',
  },
  {
    count: 'pspExceptions',
    one: say('parts.queue.gateway_exception.one'),
    many: say('parts.queue.gateway_exception.many'),
    to: '/gateways',
    search: { tab: 'exceptions' },
    least: 'manager',
  },
  {
    count: 'unresolvedTransfers',
    one: say('parts.queue.transfer_unresolved.one'),
    many: say('parts.queue.transfer_unresolved.many'),
    to: '/platforms/findings',
    search: { kind: 'transfer_unresolved' },
    least: 'manager',
  },
  {
    count: 'terminalFindings',
    one: say('parts.queue.finding.one'),
    many: say('parts.queue.finding.many'),
    to: '/platforms/findings',
    search: { state: 'open' },
    least: 'manager',
  },
  {
    count: 'sentTransfers',
    one: say('parts.queue.transfer.one'),
    many: say('parts.queue.transfer.many'),
    to: '/transfers',
    search: { state: 'sent' },
    least: 'manager',
  },
  {
    count: 'unconfirmedRates',
    one: say('parts.queue.rate.one'),
    many: say('parts.queue.rate.many'),
    to: '/rates',
    search: {},
    least: 'admin',
  },
  {
    count: 'openTickets',
    one: say('parts.queue.ticket.one'),
    many: say('parts.queue.ticket.many'),
    to: '/support',
    search: {},
    least: 'operator',
  },
  {
    count: 'newLeads',
    one: say('parts.queue.lead.one'),
    many: say('parts.queue.lead.many'),
    to: '/leads',
    search: { status: 'new' },
    least: 'operator',
  },
]
