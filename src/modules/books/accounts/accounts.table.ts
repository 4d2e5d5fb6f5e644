import { Type } from '@sinclair/typebox'
import { integer, text } from 'drizzle-orm/sqlite-core'
import {
  column,
  currency,
  described,
  flag,
  id,
  metadata,
  money,
  shownAs,
  stamps,
  time,
} from '../../../platform/db/columns.ts'
import { colleague, fact, internal, ours, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { FREE_TEXT } from '../../../platform/wire/formats.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

export const ACCOUNT_STATUS = ['active', 'suspended', 'closed'] as const

export const Leverage = Type.Integer({ minimum: 1, maximum: 10_000, description: '100 means 1:100' })
export const ServerName = nameSchema(
  'ServerName',
  Type.String({
    maxLength: 100,
    pattern: '^(?:\\S(?:.*\\S)?)?$',
    format: FREE_TEXT,
    description: 'of the platform; empty means any',
  }),
)
const reported = () =>
  shownAs(money(), Type.String({ description: 'decimal amount, as the platform reported it' }))
    .notNull()
    .default(0n)
const BOOKS = stays('what the books refer to')

/** Trading accounts. The platform reports `balance` and `equity`, which are not in our books. src/README “Ledger”. */
export const accounts = tenantTable(
  'accounts',
  'acc',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    /** The client before a merge; null if the account was not part of one. */
    firstTraderId: column(id(), ours(stays('points at a row that is erased itself')), 'hidden'),
    /** When the account was last given to another client; null if never. */
    givenAt: column(time(), fact, 'hidden'),
    /** One of the `platforms` in the firm's settings. */
    platform: column(described('one of the firm’s `platforms`').notNull(), BOOKS, 'api csv sql'),
    /** The server of the platform; empty if the account may be on any of them. RULES “Accounts”. */
    server: column(shownAs(text().notNull().default(''), ServerName), BOOKS, 'api csv sql'),
    externalId: column(text(), personal, 'api csv'),
    accountNumber: column(text(), personal, 'api csv sql'),
    currency: column(currency().notNull(), BOOKS, 'api csv sql'),
    balance: column(reported(), fact, 'api csv sql'),
    /** When the balance was last reported, changed or not, and by whom (a key counts as its maker); several
     * people, who entered the connection that reports it, have blanks between. */
    balanceAt: column(time(), fact, 'sql'),
    balanceBy: column(id(), colleague, 'hidden'),
    /** Whether the platform's own bridge reported the balance. */
    byBridge: column(flag().notNull().default(false), internal, 'hidden'),
    equity: column(reported(), fact, 'api csv sql'),
    leverage: column(shownAs(integer(), Leverage).notNull().default(100), fact, 'api csv sql'),
    isDemo: column(flag().notNull().default(false), fact, 'api csv sql'),
    /** When a demo account last became live; null if never. */
    liveSince: column(time(), fact, 'hidden'),
    status: column(text({ enum: ACCOUNT_STATUS }).notNull().default('active'), fact, 'api csv sql'),
    metadata: column(metadata().notNull().default({}), ours(personal), 'api'),
    ...stamps,
    deletedAt: column(time(), untold, 'sql'),
  },
  {
    entity: 'account',
    owner: 'traderId',
    softDelete: true,
    fileOrder: 'traderId createdAt platform accountNumber',
    person: { of: 'traderId' },
  },
)
export type AccountRow = Row<typeof accounts>
