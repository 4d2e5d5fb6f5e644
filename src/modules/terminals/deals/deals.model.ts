import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { type DealRow, terminalDealRevisions, terminalDeals } from './deals.table.ts'

export const DealOut = nameSchema(
  'TerminalDeal',
  Type.Object({
    ...wireFields(terminalDeals),
    revisions: Type.Array(
      Type.Object({ revision: Type.Integer(), at: Time, was: Type.Object({}, { additionalProperties: true }) }),
      { description: 'what it said before it was changed, the newest first' },
    ),
  }),
)

export const toRow = wireMapper(terminalDeals)
/** Returns the wire form of a deal with what it said before. */
export const toDealOut = (db: Reader, row: DealRow) => ({
  ...toRow(row),
  revisions:
    row.revision === 1
      ? []
      : db
          .list(terminalDealRevisions, { dealId: row.id }, { orderBy: 'revision', descending: true, limit: 20 })
          .map(({ revision, content, createdAt }) => ({ revision, at: toIso(createdAt), was: content })),
})

const KINDS = ['trade', 'money', 'other'] as const
const MONEY = sql`('balance', 'credit', 'charge', 'correction', 'bonus', 'compensation', 'credit_compensation')`
/** The deals that turned a position; what follows has their order as its ticket here. */
const turned = alias(terminalDeals, 'turned')
export const dealList = defineList({
  name: 'terminal_deals',
  table: terminalDeals,
  sorts: { at: 'at' },
  defaultSort: '-at',
  timeColumn: 'at',
  filters: {
    connectionId: equals(terminalDeals.connectionId, Id),
    state: equals(terminalDeals.state),
    kind: filter(
      OneOf(KINDS),
      sql`CASE WHEN ${terminalDeals.kind} = 'trade' THEN 'trade' WHEN ${terminalDeals.kind} IN ${MONEY} THEN 'money'
        ELSE 'other' END = ?`,
    ),
    position: filter(
      Type.String({ minLength: 1, maxLength: 64, description: 'the position, or the order that turned it' }),
      sql`${terminalDeals.position} IN (?, (SELECT ${turned.position} FROM ${terminalDeals} AS ${turned}
        WHERE ${turned.tenantId} = ? AND ${turned.entry} = 'turn' AND ${turned.orderNumber} = ?))`,
      (position, { tenantId }) => [position, tenantId, position],
    ),
    accountId: filter(
      Id,
      sql`(${terminalDeals.connectionId}, ${terminalDeals.login}) IN (SELECT ${terminalConnections.id},
          ${accounts.accountNumber} FROM ${accounts} JOIN ${terminalConnections}
          ON ${terminalConnections.tenantId} = ${accounts.tenantId}
          AND ${terminalConnections.platform} = ${accounts.platform}
          AND ${accounts.server} IN ('', ${terminalConnections.server})
        WHERE ${accounts.tenantId} = ? AND ${accounts.id} = ?)`,
      (id, { tenantId }) => [tenantId, id],
    ),
  },
})
