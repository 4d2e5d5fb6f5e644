import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, id, json, money, stamps, time } from '../../../platform/db/columns.ts'
import { fact, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const SIDES = ['long', 'short'] as const
export const POSITION_STATUS = ['open', 'closed'] as const

/** Decimal amounts as the platform wrote them. */
export type ReportedAmounts = { profit: string; swap: string; commission: string; spread?: string }

const TRADED = stays('what was traded')
/** Positions as trading platforms report them, thousands a minute, so a sync has one audit entry for all rows. */
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
    /** The unit is 0.00000001 lot. */
    volume: column(money().notNull(), fact, 'csv sql'),
    /** All lots that were opened under the ticket. */
    openedVolume: column(money().notNull(), fact, 'hidden'),
    /** All lots that were closed under the ticket. */
    closedVolume: column(money().notNull().default(0n), fact, 'hidden'),
    /** A ticket whose side turned goes on with its next leg. */
    leg: column(integer().notNull().default(1), fact, 'hidden'),
    /** The lots that were closed in earlier legs. */
    earlierVolume: column(money().notNull().default(0n), fact, 'hidden'),
    openPrice: column(text().notNull(), TRADED, 'csv sql'),
    currentPrice: column(text().notNull(), TRADED, 'csv sql'),
    /** The account's currency; null while no account is linked: the amounts are then in `reported`. */
    currency: column(currency(), TRADED, 'csv sql'),
    profit: column(money().notNull(), fact, 'csv sql'),
    swap: column(money().notNull().default(0n), fact, 'csv sql'),
    commission: column(money().notNull().default(0n), fact, 'csv sql'),
    /** What the spread cost the client; null if the platform does not report it. */
    spread: column(money(), fact, 'hidden'),
    reported: column(json<ReportedAmounts>(), TRADED, 'hidden'),
    status: column(text({ enum: POSITION_STATUS }).notNull().default('open'), fact, 'csv sql'),
    openedAt: column(time().notNull(), fact, 'csv sql'),
    closedAt: column(time(), fact, 'csv sql'),
    /** Whether it was closed because a snapshot lacked it, not by a report. */
    assumedClosed: column(flag().notNull().default(false), fact, 'sql'),
    ...stamps,
  },
  {
    entity: 'position',
    owner: 'traderId',
    currencies: { volume: null, openedVolume: null, closedVolume: null, earlierVolume: null },
    audited: false,
    fileOrder: 'traderId accountId',
    person: { of: 'traderId' },
  },
)
export type PositionRow = Row<typeof positions>

/**
 * Lots that were opened at one moment and closed at one moment. The first closing of a ticket has the id of its
 * position, which lines of commissions name as their source. Rows are never deleted.
 */
export const positionClosings = tenantTable(
  'position_closings',
  'clo',
  {
    positionId: column(id().notNull(), fact, 'sql'),
    leg: column(integer().notNull(), fact, 'sql'),
    /**
     * The deals that opened and closed the lots, as `<in>-<out>`; null for a report of positions, which has one closing
     * for each leg.
     */
    deal: column(text(), fact, 'sql'),
    /** The unit is 0.00000001 lot. */
    lots: column(money().notNull(), fact, 'sql'),
    openedAt: column(time().notNull(), fact, 'sql'),
    closedAt: column(time().notNull(), fact, 'sql'),
    /** As in its position. */
    currency: column(currency(), fact, 'sql'),
    profit: column(money().notNull(), fact, 'sql'),
    swap: column(money().notNull().default(0n), fact, 'sql'),
    commission: column(money().notNull().default(0n), fact, 'sql'),
    spread: column(money(), fact, 'sql'),
    reported: column(json<ReportedAmounts>(), fact, 'hidden'),
    /** Whether only a snapshot without the ticket says so yet, or it lies before the deals that count. */
    assumed: column(flag().notNull().default(false), fact, 'sql'),
    /** Whether it no longer holds, so that it counts for nothing. */
    void: column(flag().notNull().default(false), fact, 'sql'),
    createdAt: stamps.createdAt,
    updatedAt: stamps.updatedAt,
  },
  { entity: 'closing', currencies: { lots: null }, audited: false },
)
export type ClosingRow = Row<typeof positionClosings>
