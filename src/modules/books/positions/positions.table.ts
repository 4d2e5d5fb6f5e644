import { integer, text } from 'drizzle-orm/sqlite-core'
import { kept, personal } from '../../../platform/db/erasure.ts'
import { flag, json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const SIDES = ['long', 'short'] as const
export const POSITION_STATUS = ['open', 'closed'] as const

/** Decimal amounts word for word. */
export type ReportedAmounts = { profit: string; swap: string; commission: string; spread?: string }

/** What the trading platforms report, thousands of times a minute: a sync has one audit entry, not each row. */
export const positions = tenantTable(
  'positions',
  'pos',
  {
    platform: text().notNull(),
    server: text().notNull(),
    ticket: text().notNull(),
    accountNumber: text().notNull(),
    accountId: text(),
    traderId: text(),
    symbol: text().notNull(),
    side: text({ enum: SIDES }).notNull(),
    /** Units of 0.00000001 lot. */
    volume: money().notNull(),
    /** What was first seen: `volume` shrinks with partial closes. */
    openedVolume: money().notNull(),
    openPrice: text().notNull(),
    currentPrice: text().notNull(),
    /** The account's; null while nobody owns the account, and then the amounts wait in `reported`. */
    currency: text(),
    profit: money().notNull(),
    swap: money().notNull().default(0n),
    commission: money().notNull().default(0n),
    /** What the spread cost the client; null where the platform does not say. */
    spread: money(),
    reported: json<ReportedAmounts>(),
    status: text({ enum: POSITION_STATUS }).notNull().default('open'),
    openedAt: time().notNull(),
    closedAt: time(),
    /** Closed because a snapshot did not have it, not because the platform said so. */
    assumedClosed: flag().notNull().default(false),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'position',
    owner: 'traderId',
    currencies: { volume: null, openedVolume: null },
    audited: false,
    person: {
      of: 'traderId',
      columns: {
        accountNumber: personal,
        ...kept(
          'what was traded',
          'platform',
          'server',
          'ticket',
          'symbol',
          'openPrice',
          'currentPrice',
          'currency',
          'reported',
        ),
        ...kept('points at rows that are erased themselves', 'accountId'),
      },
    },
  },
)
export type PositionRow = Row<typeof positions>
