import { text } from 'drizzle-orm/sqlite-core'
import { time } from '../../../platform/db/columns.ts'
import { colleagues } from '../../../platform/db/erasure.ts'
import { tenantTable } from '../../../platform/db/tenant-table.ts'

/** Acts that let a person use a colleague's account; `stepped_down` only says that a person who decides is gone. */
const ACCOUNT_ACTS = ['invited', 'password', 'link', 'second_factor', 'role', 'stepped_down'] as const
export type AccountAct = (typeof ACCOUNT_ACTS)[number]
/** Acts that leave the firm with one person less whose account is theirs alone. */
export const STRIKES = ['password', 'link', 'second_factor', 'stepped_down'] as const satisfies readonly AccountAct[]

/** Acts that let a colleague act as a client, and so bar them from decisions about that client. */
export const CLIENT_TIES = ['read_link', 'staff_address', 'changed_address', 'sent_own_link', 'acted_as'] as const
/** Acts that bring money to a client; their actor's vote alone then does not pay it out. */
export const MONEY_HANDS = [
  'deposit',
  'transfer',
  'refused_transfer',
  'unsent_withdrawal',
  'credit',
  'rate',
  'gateway_secret',
] as const
/** Acts that link money on a platform to a client; another person then books what was earned there. */
export const ACCOUNT_HANDS = ['linked_account'] as const
/** Changes of the client's identity that documents prove. */
export const IDENTITY_ACTS = ['changed_name', 'changed_country', 'changed_birth_date'] as const
/** Further acts shown beside a decision on the client's money, since they may give another person access to it. */
const ACCESS_ACTS = ['changed_phone', ...IDENTITY_ACTS, 'sent_link', 'gave_broker', 'merged'] as const
/** The acts that set and lift each block of a client's money. */
export const BLOCKS = {
  match: { set: 'confirmed_match', lifted: 'lifted_match' },
  hold: { set: 'set_hold', lifted: 'lifted_hold' },
  stop: { set: 'stopped', lifted: 'lifted_stop' },
  papers: { set: 'failed_kyc', lifted: 'lifted_kyc' },
} as const
export type Block = keyof typeof BLOCKS
/** Acts that lift a block; their actor's vote alone then does not pay out the client's money. */
export const LIFTS = [BLOCKS.match.lifted, BLOCKS.hold.lifted, BLOCKS.stop.lifted, BLOCKS.papers.lifted] as const
const SETS = [BLOCKS.match.set, BLOCKS.hold.set, BLOCKS.stop.set, BLOCKS.papers.set] as const
/** Acts that are shown beside a decision on the client's money: who got access to the client, or lifted a block. */
export const SHOWN_ACTS = [...CLIENT_TIES, ...ACCOUNT_HANDS, ...ACCESS_ACTS, ...LIFTS] as const
const CLIENT_ACTS = [...CLIENT_TIES, ...MONEY_HANDS, ...ACCOUNT_HANDS, ...ACCESS_ACTS, ...SETS, ...LIFTS] as const
export type ClientAct = (typeof CLIENT_ACTS)[number]

/** Acts on accounts. This journal is not audited, since each act is audited where it happens. */
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

/** Who vouched that an account is its holder's alone; null if it became so after 72 hours without a third person. */
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

/** Acts for clients, not audited, like `account_acts`. No client owns the rows or may read who could act as them. */
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
