import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, money, stamps, time } from '../../../platform/db/columns.ts'
import { fact, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const SIDES = ['long', 'short'] as const
export const POSITION_STATUS = ['open', 'closed'] as const

/** Decimal amounts word for word. */
export type ReportedAmounts = { profit: string; swap: string; commission: string; spread?: string }

const TRADED = stays('what was traded')
/** What the trading platforms report, thousands of times a minute: a sync has one audit entry, not each row. */
export const positions = tenantTable(
  'positions',
  'pos',
  {
    platform: column(text().notNull(), TRADED, 'csv sql'),
    server: column(text().notNull(), TRADED, 'csv sql'),
    ticket: column(text().notNull(), TRADED, 'csv sql'),
    accountNumber: column(text().notNull(), personal, 'csv sql'),
    accountId: column(id(), stays('points at rows that are erased themselves'), 'csv sql'),
    traderId: column(id(), untold, 'csv sql'),
    symbol: column(text().notNull(), TRADED, 'csv sql'),
    side: column(text({ enum: SIDES }).notNull(), fact, 'csv sql'),
    /** Units of 0.00000001 lot. */
    volume: column(money().notNull(), fact, 'csv sql'),
    /** What was first seen: `volume` shrinks with partial closes. */
    openedVolume: column(money().notNull(), fact, 'hidden'),
    openPrice: column(text().notNull(), TRADED, 'csv sql'),
    currentPrice: column(text().notNull(), TRADED, 'csv sql'),
    /** The account's; null while nobody owns the account, and then the amounts wait in `reported`. */
    currency: column(currency(), TRADED, 'csv sql'),
    profit: column(money().notNull(), fact, 'csv sql'),
    swap: column(money().notNull().default(0n), fact, 'csv sql'),
    commission: column(money().notNull().default(0n), fact, 'csv sql'),
    /** What the spread cost the client; null where the platform does not say. */
    spread: column(money(), fact, 'hidden'),
    reported: column(json<ReportedAmounts>(), TRADED, 'hidden'),
    status: column(text({ enum: POSITION_STATUS }).notNull().default('open'), fact, 'csv sql'),
    openedAt: column(time().notNull(), fact, 'csv sql'),
    closedAt: column(time(), fact, 'csv sql'),
    /** Closed because a snapshot did not have it, not because the platform said so. */
    assumedClosed: column(flag().notNull().default(false), fact, 'sql'),
    ...stamps,
  },
  {
    entity: 'position',
    owner: 'traderId',
    currencies: { volume: null, openedVolume: null },
    audited: false,
    fileOrder: 'traderId accountId',
    person: { of: 'traderId' },
  },
)
export type PositionRow = Row<typeof positions>
