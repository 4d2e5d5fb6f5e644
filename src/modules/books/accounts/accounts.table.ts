import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, ours, personal } from '../../../platform/db/erasure.ts'
import { flag, json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const ACCOUNT_STATUS = ['active', 'suspended', 'closed'] as const

/**
 * Trading accounts. `balance` and `equity` are what the platform reported, and no part of our books. src/README
 * “Ledger”.
 */
export const accounts = tenantTable(
  'accounts',
  'acc',
  {
    traderId: text().notNull(),
    /** Whose it was before clients were merged; null where it is still theirs. */
    firstTraderId: text(),
    /** When it was last given to another client; null where it was never. */
    givenAt: time(),
    /** One of the firm's `platforms` (its settings). */
    platform: text().notNull(),
    externalId: text(),
    accountNumber: text(),
    currency: text().notNull(),
    balance: money().notNull().default(0n),
    /** When the balance was last reported, also as the same, and by whom (a key counts as its maker). */
    balanceAt: time(),
    balanceBy: text(),
    /** Whether the platform's own bridge reported it. */
    byBridge: flag().notNull().default(false),
    equity: money().notNull().default(0n),
    leverage: integer().notNull().default(100),
    isDemo: flag().notNull().default(false),
    /** When a demo account was last made a live one; null where it was none. */
    liveSince: time(),
    status: text({ enum: ACCOUNT_STATUS }).notNull().default('active'),
    metadata: json<Record<string, unknown>>().notNull().default({}),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  {
    entity: 'account',
    owner: 'traderId',
    softDelete: true,
    person: {
      of: 'traderId',
      columns: {
        externalId: personal,
        accountNumber: personal,
        metadata: ours(personal),
        ...kept('what the books refer to', 'platform', 'currency'),
        firstTraderId: ours({ goes: null, why: 'points at a row that is erased itself' }),
        ...colleagues('balanceBy'),
      },
    },
  },
)
export type AccountRow = Row<typeof accounts>
