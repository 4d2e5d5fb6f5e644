import { text } from 'drizzle-orm/sqlite-core'
import { time } from '../../../platform/db/columns.ts'
import { colleagues } from '../../../platform/db/erasure.ts'
import { tenantTable } from '../../../platform/db/tenant-table.ts'

/**
 * What lets somebody act as the holder of a colleague's account;
 * `stepped_down` only tells that a person who decides about money is gone.
 */
const ACCOUNT_ACTS = ['invited', 'password', 'link', 'second_factor', 'role', 'stepped_down'] as const
export type AccountAct = (typeof ACCOUNT_ACTS)[number]
/** What leaves a firm with fewer people whose accounts are theirs alone. */
export const STRIKES = ['password', 'link', 'second_factor', 'stepped_down'] as const satisfies readonly AccountAct[]

/** What lets a member of staff act as a client, so that they decide nothing of that client. */
export const CLIENT_TIES = ['read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as'] as const
/** What brings money to a client by somebody's hand, so that they are not the only one to let it out. */
export const MONEY_HANDS = [
  'deposit',
  'transfer',
  'refused_transfer',
  'unsent_withdrawal',
  'credit',
  'rate',
  'gateway_secret',
] as const
/** What says that money on a platform is this client's, so that somebody else books what was earned there. */
export const ACCOUNT_HANDS = ['linked_account'] as const
/** What changed who a client is, as their papers show it. */
export const IDENTITY_ACTS = ['changed_name', 'changed_country', 'changed_birth_date'] as const
/** What else stands beside a decision on the client's money, since it may be how somebody else gets at it. */
const ACCESS_ACTS = ['changed_phone', ...IDENTITY_ACTS, 'sent_link', 'gave_broker', 'merged'] as const
/** What set and what lifted each of the blocks that stop a client's money until a person lifts them. */
export const BLOCKS = {
  match: { set: 'confirmed_match', lifted: 'lifted_match' },
  hold: { set: 'set_hold', lifted: 'lifted_hold' },
  stop: { set: 'stopped', lifted: 'lifted_stop' },
  papers: { set: 'failed_kyc', lifted: 'lifted_kyc' },
} as const
export type Block = keyof typeof BLOCKS
/** Who lifted a block is not the only one to let the client's money out. */
export const LIFTS = [BLOCKS.match.lifted, BLOCKS.hold.lifted, BLOCKS.stop.lifted, BLOCKS.papers.lifted] as const
const SETS = [BLOCKS.match.set, BLOCKS.hold.set, BLOCKS.stop.set, BLOCKS.papers.set] as const
/** What stands beside a decision on the client's money: how somebody got at the client, and who lifted what. */
export const SHOWN_ACTS = [...CLIENT_TIES, ...ACCOUNT_HANDS, ...ACCESS_ACTS, ...LIFTS] as const
const CLIENT_ACTS = [...CLIENT_TIES, ...MONEY_HANDS, ...ACCOUNT_HANDS, ...ACCESS_ACTS, ...SETS, ...LIFTS] as const
export type ClientAct = (typeof CLIENT_ACTS)[number]

/** A journal beside the audit: what was done is audited where it is done. */
export const accountActs = tenantTable(
  'account_acts',
  'aac',
  {
    userId: text().notNull(),
    byUserId: text().notNull(),
    act: text({ enum: ACCOUNT_ACTS }).notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'account_act', audited: false },
)

/** Who said that an account is its holder's alone; nobody where 72 hours passed in a firm without a third person. */
export const accountVouches = tenantTable(
  'account_vouches',
  'avo',
  {
    userId: text().notNull(),
    byUserId: text(),
    note: text(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'account_vouch' },
)

/** A journal beside the audit, as `account_acts`. No owner: clients do not read who could have been them. */
export const clientActs = tenantTable(
  'client_acts',
  'cac',
  {
    traderId: text().notNull(),
    userId: text().notNull(),
    act: text({ enum: CLIENT_ACTS }).notNull(),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'client_act',
    audited: false,
    person: { of: 'traderId', columns: colleagues('userId') },
  },
)
