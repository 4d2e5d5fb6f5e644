import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, money, time } from '../../../platform/db/columns.ts'
import { fact, internal, stays } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { ACCOUNT_TYPES } from '../connections/connections.table.ts'

const LOGIN_STATES = ['there', 'archived', 'gone', 'reused'] as const

/** The logins of a terminal, as it said last. They are read all the time and are no act of anybody. */
export const terminalLogins = tenantTable(
  'terminal_logins',
  'trl',
  {
    connectionId: column(id().notNull(), internal, 'api csv sql'),
    login: column(
      text().notNull(),
      stays('the number of a login says who somebody is only to the terminal'),
      'api csv sql',
    ),
    groupName: column(text().notNull(), fact, 'hidden'),
    accountType: column(text({ enum: ACCOUNT_TYPES }).notNull(), fact, 'api csv sql'),
    currency: column(currency().notNull(), fact, 'api csv sql'),
    leverage: column(integer().notNull(), fact, 'api csv sql'),
    mayTrade: column(flag().notNull(), fact, 'api csv sql'),
    maySignIn: column(flag().notNull(), fact, 'api csv sql'),
    registeredAt: column(time().notNull(), fact, 'api csv sql'),
    balance: column(money().notNull(), fact, 'api csv sql'),
    credit: column(money().notNull(), fact, 'api csv sql'),
    /** Null where the terminal has no trade state of an idle login. */
    equity: column(money(), fact, 'api csv sql'),
    marginFree: column(money(), fact, 'api csv sql'),
    state: column(text({ enum: LOGIN_STATES }).notNull().default('there'), fact, 'hidden'),
    stateSince: column(time().notNull(), fact, 'api csv sql'),
    readAt: column(time().notNull(), fact, 'api csv sql'),
    /** What its deals since the connection’s `since` changed of its balance, and what the balance is beside that. */
    explained: column(money().notNull().default(0n), internal, 'hidden'),
    base: column(money().notNull().default(0n), internal, 'hidden'),
    baseSince: column(time().notNull().default(0), internal, 'hidden'),
    /** Whether the base was the same for so long that another one is a finding. */
    proven: column(flag().notNull().default(false), internal, 'hidden'),
    /** What it had when a day of the firm ended, as it was reported last before that midnight. */
    endedDay: column(text(), internal, 'hidden'),
    endedBalance: column(money(), internal, 'hidden'),
    endedCredit: column(money(), internal, 'hidden'),
    endedEquity: column(money(), internal, 'hidden'),
    endedAt: column(time(), internal, 'hidden'),
    /** Until when its deals were read by a first load, or after an outage. */
    loadedUntil: column(time().notNull().default(0), internal, 'hidden'),
    /** When its deals of the last weeks were read again. */
    deepReadAt: column(time().notNull().default(0), internal, 'hidden'),
    createdAt: column(time().notNull().default(0), fact, 'api csv sql'),
    updatedAt: column(time().notNull().default(0), fact, 'hidden'),
  },
  { entity: 'terminal_login', audited: false },
)
export type LoginRow = Row<typeof terminalLogins>
