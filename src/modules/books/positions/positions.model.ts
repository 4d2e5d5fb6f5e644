import { type Static, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { MIB } from '../../../platform/bytes.ts'
import { toIso } from '../../../platform/clock.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { byTenant, equals, equalsAny, flagFilter, timeFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  Amount,
  Currency,
  Id,
  InstrumentSymbol,
  Nullable,
  OneOf,
  ReportedLine,
  Rows,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { feedHead, Unlinked } from '../accounts/accounts.model.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { RefusedName, refusalFields, refusedList } from '../accounts/feed-rows.ts'
import { ClosingOut } from './closings.ts'
import { formatLots } from './lots.ts'
import { toWireAmounts } from './positions.amounts.ts'
import { POSITION_STATUS, type PositionRow, positionClosings, positions, SIDES } from './positions.table.ts'

const Lots = Type.String({ pattern: '^\\d{1,7}(\\.\\d{1,8})?$', maxLength: 17, description: 'lots, exact decimal' })
// prices of oil and of spreads have been negative
const Price = Type.String({ pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$', maxLength: 27, description: 'decimal' })
export const Ticket = ReportedLine(40)
const Instant = Type.String({ format: 'date-time', maxLength: 40 })

export const SyncPosition = nameSchema(
  'PositionReport',
  Strict({
    ticket: Ticket,
    accountNumber: ReportedLine(64),
    symbol: InstrumentSymbol,
    side: OneOf(SIDES),
    volume: Lots,
    openPrice: Price,
    currentPrice: Price,
    profit: Amount,
    swap: Type.Optional(Amount),
    commission: Type.Optional(Amount),
    spread: Type.Optional(worded(Amount, 'what the spread cost the client')),
    openedAt: Instant,
    closedAt: Type.Optional(Instant),
    closedVolume: Type.Optional(worded(Lots, 'all lots closed under the ticket; wins over what is worked out')),
    corrects: Type.Optional(
      Type.Boolean({
        description: 'this replaces what was said of a closed ticket; only from the platform’s own bridge',
      }),
    ),
  }),
)
/** Enough for 10,000 positions with every field: some 4 MB, and at most 30 values for each position. */
export const SYNC_BYTES = 8 * MIB
export const SYNC_VALUES = 300_000
export const SyncIn = nameSchema(
  'PositionSyncIn',
  Strict({
    ...feedHead,
    mode: OneOf(['snapshot', 'delta']),
    positions: Rows(SyncPosition, 10_000),
  }),
)
export const SyncOut = nameSchema(
  'PositionSync',
  Type.Object({
    applied: Type.Boolean({ description: 'false: this sequence, or a later one, was taken before; nothing changed' }),
    sequence: Type.Integer({ description: 'the last one taken' }),
    opened: Type.Integer(),
    updated: Type.Integer(),
    closed: Type.Integer(),
    unchanged: Type.Integer(),
    closedNothing: Type.Boolean({
      description: 'a snapshot closed nothing, since the ticket of a refused row cannot be read',
    }),
    unlinked: Unlinked,
    refused: refusedList(nameSchema('RefusedPosition', Type.Object({ ticket: RefusedName, ...refusalFields }))),
    refusedTotal: Type.Integer(),
  }),
)

const PositionOut = nameSchema(
  'Position',
  Type.Object({
    id: Id,
    traderId: Nullable(Id),
    accountId: Nullable(Id),
    platform: Type.String(),
    server: Type.String(),
    ticket: Type.String(),
    accountNumber: Type.String(),
    symbol: Type.String(),
    side: OneOf(SIDES),
    volume: Type.String({ description: 'lots' }),
    openedVolume: Type.String({ description: 'all lots opened under the ticket' }),
    closedVolume: Type.String({ description: 'all lots closed under the ticket' }),
    openPrice: Type.String(),
    currentPrice: Type.String(),
    currency: Nullable(worded(Currency, 'of the account; null while nobody owns it')),
    profit: Amount,
    swap: Amount,
    commission: Amount,
    spread: Nullable(Amount),
    status: OneOf(POSITION_STATUS),
    openedAt: Time,
    closedAt: Nullable(Time),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const PositionRowOut = buildRowSchema(PositionOut)
export const OnePositionOut = nameSchema(
  'PositionWithClosings',
  Type.Composite([
    PositionOut,
    Type.Object({
      closings: Type.Array(ClosingOut, { description: 'the newest 200' }),
      closingsTotal: Type.Integer(),
    }),
  ]),
)

export const toPosition = (row: PositionRow): Static<typeof PositionOut> => ({
  id: row.id,
  traderId: row.traderId,
  accountId: row.accountId,
  platform: row.platform,
  server: row.server,
  ticket: row.ticket,
  accountNumber: row.accountNumber,
  symbol: row.symbol,
  side: row.side,
  volume: formatLots(row.volume),
  openedVolume: formatLots(row.openedVolume),
  closedVolume: formatLots(row.closedVolume),
  openPrice: row.openPrice,
  currentPrice: row.currentPrice,
  currency: row.currency,
  ...toWireAmounts(row),
  status: row.status,
  openedAt: toIso(row.openedAt),
  closedAt: row.closedAt === null ? null : toIso(row.closedAt),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

/** Returns the payload of the position events: all that a receiver needs for booking. */
export const positionPayload = (row: PositionRow) => {
  const { profit, swap, commission } = toWireAmounts(row)
  return {
    positionId: row.id,
    traderId: row.traderId,
    platform: row.platform,
    server: row.server,
    ticket: row.ticket,
    accountNumber: row.accountNumber,
    accountId: row.accountId,
    symbol: row.symbol,
    side: row.side,
    volume: formatLots(row.volume),
    closedVolume: formatLots(row.closedVolume),
    openPrice: row.openPrice,
    currentPrice: row.currentPrice,
    currency: row.currency,
    profit,
    swap,
    commission,
    openedAt: toIso(row.openedAt),
    closedAt: row.closedAt === null ? null : toIso(row.closedAt),
  }
}

const first = alias(positions, 'first')
const next = alias(positions, 'next')
const after = alias(positions, 'after')
const other = alias(positions, 'other')
const ticket = alias(positions, 'ticketed')
/** Trades of demo accounts, and trades opened while their account was a demo, are no business of the firm. */
export const isLive = (tenant: SQL): SQL => sql`EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ${tenant}
  AND ${accounts.id} = ${positions.accountId} AND ${accounts.isDemo} = 0
  AND ${positions.openedAt} >= coalesce(${accounts.liveSince}, 0))`

export const positionList = defineList({
  name: 'positions',
  table: positions,
  money: { amount: 'profit', currency: 'currency', apart: 'status' },
  sorts: { createdAt: 'createdAt', openedAt: 'openedAt', symbol: 'symbol', volume: 'volume' },
  filters: {
    status: equals(positions.status),
    currency: equalsAny(positions.currency, Currencies),
    symbol: equals(positions.symbol, InstrumentSymbol),
    side: equals(positions.side),
    traderId: equals(positions.traderId, Id),
    accountId: equals(positions.accountId, Id),
    live: flagFilter(
      isLive(sql`?`),
      'only what was opened on an account that was live; a key needs `accounts:read`',
      byTenant,
    ),
    closedFrom: timeFilter('closedFrom', sql`${positions.closedAt} >= ?`, 'not closed before this time'),
    closedTo: timeFilter('closedTo', sql`${positions.closedAt} < ?`, 'closed before this time'),
    q: rowSearch(positions, {
      description: 'the id, the ticket, or the id of a closing',
      // A ticket is unique on its server; the few servers of a firm are found by skipping through the index of tickets.
      ids: sql`WITH RECURSIVE places (platform, server) AS (
          SELECT * FROM (SELECT ${first.platform}, ${first.server} FROM ${positions} AS ${first}
            WHERE ${first.tenantId} = ? ORDER BY ${first.platform}, ${first.server} LIMIT 1)
          UNION ALL SELECT ${next.platform}, ${next.server} FROM places CROSS JOIN ${positions} AS ${next}
            ON ${next.tenantId} = ? AND ${next.id} = coalesce(
              (SELECT ${after.id} FROM ${positions} AS ${after} WHERE ${after.tenantId} = ?
                AND ${after.platform} = places.platform AND ${after.server} > places.server
                ORDER BY ${after.server} LIMIT 1),
              (SELECT ${other.id} FROM ${positions} AS ${other} WHERE ${other.tenantId} = ?
                AND ${other.platform} > places.platform ORDER BY ${other.platform}, ${other.server} LIMIT 1))
          LIMIT 1000)
        SELECT ${ticket.id} FROM places CROSS JOIN ${positions} AS ${ticket} ON ${ticket.tenantId} = ?
          AND ${ticket.platform} = places.platform AND ${ticket.server} = places.server AND ${ticket.ticket} = ?
        UNION ALL SELECT ${positionClosings.positionId} FROM ${positionClosings}
          WHERE ${positionClosings.tenantId} = ? AND ${positionClosings.id} = ?`,
      params: (text, tenantId) => [tenantId, tenantId, tenantId, tenantId, text, tenantId, text],
    }),
  },
})

export const HeatmapOut = nameSchema(
  'PositionHeatmap',
  Type.Object({
    data: Type.Array(
      Type.Object({
        symbol: Type.String(),
        long: Type.String({ description: 'lots' }),
        short: Type.String({ description: 'lots' }),
        net: Type.String({ description: 'long − short, lots' }),
        positions: Type.Integer(),
        traders: Type.Integer(),
      }),
    ),
    asOf: Time,
  }),
)
