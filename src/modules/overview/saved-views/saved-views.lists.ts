import { type TSchema, Type } from '@sinclair/typebox'
import { mailList } from '../../base/mails/mails.model.ts'
import { accountList } from '../../books/accounts/accounts.model.ts'
import { adjustmentList } from '../../books/adjustments/adjustments.model.ts'
import { depositList } from '../../books/deposits/deposits.model.ts'
import { positionList } from '../../books/positions/positions.model.ts'
import { pspList } from '../../books/psp/psp.model.ts'
import { transferList } from '../../books/transfers/transfers.model.ts'
import { walletList } from '../../books/wallets/wallets.model.ts'
import { withdrawalList } from '../../books/withdrawals/withdrawals.model.ts'
import { auditList } from '../../clients/audit/audit.model.ts'
import { keptRecordList } from '../../clients/kept-records/kept-records.model.ts'
import { submissionList } from '../../clients/kyc/kyc.model.ts'
import { hitList } from '../../clients/sanctions/sanctions.model.ts'
import { ticketList } from '../../clients/support/support.model.ts'
import { traderList } from '../../clients/traders/traders.model.ts'
import { viewList } from '../../clients/views/views.model.ts'
import { apiKeyList } from '../../firm/api-keys/api-keys.model.ts'
import { userList } from '../../firm/staff/staff.model.ts'
import { subscriptionList } from '../../firm/webhooks/webhooks.model.ts'
import { connectionList } from '../../growth/ads/ads.model.ts'
import { affiliateList } from '../../growth/affiliates/affiliates.model.ts'
import { clientList } from '../../growth/affiliates/affiliates.queries.ts'
import { lineList } from '../../growth/commissions/lines.model.ts'
import { planList } from '../../growth/commissions/plans.model.ts'
import { runList } from '../../growth/commissions/runs.service.ts'
import { leadList } from '../../growth/leads/leads.model.ts'
import { payoutList } from '../../growth/payouts/payouts.model.ts'

/** The lists of the console; a `DataList` with any other `id` does not compile. */
export const LIST_NAMES = [
  'accounts',
  'adjustments',
  'ads',
  'affiliate-clients',
  'affiliates',
  'api-keys',
  'audit',
  'commissions',
  'deposits',
  'fx',
  'gateways',
  'kept-records',
  'kyc',
  'leads',
  'mail',
  'payouts',
  'plans',
  'positions',
  'runs',
  'sanctions',
  'support',
  'tenants',
  'traders',
  'transfers',
  'users',
  'views',
  'wallets',
  'webhooks',
  'withdrawals',
] as const
export type ListName = (typeof LIST_NAMES)[number]

type Listed = { exportQuery: { properties: Readonly<Record<string, TSchema>> } }
/** A list that is answered as a whole and has no parameters. */
const whole: Listed = { exportQuery: Type.Object({}) }

/** The filters and orders of each list of the console. */
const LISTS: Readonly<Record<ListName, Listed>> = {
  accounts: accountList,
  adjustments: adjustmentList,
  ads: connectionList,
  'affiliate-clients': clientList,
  affiliates: affiliateList,
  'api-keys': apiKeyList,
  audit: auditList,
  commissions: lineList,
  deposits: depositList,
  fx: whole,
  gateways: pspList,
  'kept-records': keptRecordList,
  kyc: submissionList,
  leads: leadList,
  mail: mailList,
  payouts: payoutList,
  plans: planList,
  positions: positionList,
  runs: runList,
  sanctions: hitList,
  support: ticketList,
  tenants: whole,
  traders: traderList,
  transfers: transferList,
  users: userList,
  views: viewList,
  wallets: walletList,
  webhooks: subscriptionList,
  withdrawals: withdrawalList,
}

/** Returns the parameters of a list, except those of paging. */
export const getParameters = (list: ListName): Readonly<Record<string, TSchema>> => LISTS[list].exportQuery.properties

/** Returns whether a word is a list of the console; rows of an older version may have other words. */
export const isListName = (word: string): word is ListName => LIST_NAMES.some((name) => name === word)
