import { type TSchema, Type } from '@sinclair/typebox'
import { accountList } from '../accounts/accounts.model.ts'
import { adjustmentList } from '../adjustments/adjustments.model.ts'
import { connectionList } from '../ads/ads.model.ts'
import { affiliateList } from '../affiliates/affiliates.model.ts'
import { clientList } from '../affiliates/affiliates.queries.ts'
import { apiKeyList } from '../api-keys/api-keys.model.ts'
import { auditList } from '../audit/audit.model.ts'
import { lineList } from '../commissions/lines.model.ts'
import { planList } from '../commissions/plans.model.ts'
import { runList } from '../commissions/runs.service.ts'
import { depositList } from '../deposits/deposits.model.ts'
import { keptRecordList } from '../kept-records/kept-records.model.ts'
import { submissionList } from '../kyc/kyc.model.ts'
import { leadList } from '../leads/leads.model.ts'
import { mailList } from '../mails/mails.model.ts'
import { payoutList } from '../payouts/payouts.model.ts'
import { positionList } from '../positions/positions.model.ts'
import { pspList } from '../psp/psp.model.ts'
import { hitList } from '../sanctions/sanctions.model.ts'
import { userList } from '../staff/staff.model.ts'
import { ticketList } from '../support/support.model.ts'
import { traderList } from '../traders/traders.model.ts'
import { transferList } from '../transfers/transfers.model.ts'
import { viewList } from '../views/views.model.ts'
import { walletList } from '../wallets/wallets.model.ts'
import { subscriptionList } from '../webhooks/webhooks.model.ts'
import { withdrawalList } from '../withdrawals/withdrawals.model.ts'

/** The lists of the console by its own words; a `DataList` with another `id` does not compile. */
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
/** A list that is answered as a whole, and can be asked for nothing. */
const whole: Listed = { exportQuery: Type.Object({}) }

/** What each list of the console is filtered and ordered by. */
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

/** The parameters of a list, without those of its pages. */
export const parametersOf = (list: ListName): Readonly<Record<string, TSchema>> => LISTS[list].exportQuery.properties

/** Whether a word is a list of the console: rows of an older program may have another one. */
export const isListName = (word: string): word is ListName => LIST_NAMES.some((name) => name === word)
