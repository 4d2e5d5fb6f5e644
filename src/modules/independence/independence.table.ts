import { text } from 'drizzle-orm/sqlite-core'
import { colleagues } from '../../platform/db/erasure.ts'
import { tenantTable, time } from '../../platform/db/tenant-table.ts'

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
const CLIENT_ACTS = [...CLIENT_TIES, ...MONEY_HANDS, ...ACCOUNT_HANDS] as const
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
