import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { byTenant, equals, equalsAny, flagFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { formatLots } from '../../books/positions/lots.ts'
import { MODELS } from '../affiliates/plans.table.ts'
import { commissionLines, commissionRuns, type LineRow, SOURCE_TYPES } from './commissions.table.ts'

export const LineOut = nameSchema(
  'CommissionLine',
  Type.Object({
    id: Id,
    affiliateId: Id,
    traderId: Nullable(worded(Id, 'the client; not shown to introducing brokers above the first level')),
    runId: Id,
    level: Type.Integer({ description: '1 brought the client' }),
    model: OneOf(MODELS),
    sourceType: OneOf(SOURCE_TYPES),
    sourceId: Nullable(worded(Id, 'the closing of a position, where it is one, by which `q` finds the position')),
    symbol: Nullable(Type.String()),
    lots: Nullable(Type.String()),
    currency: Currency,
    amount: Amount,
    rate: Type.String({ description: 'of this level: an amount a lot or client, or a share' }),
    note: Nullable(OneOf(['cut', 'no_spread'], { description: 'cut by the plan’s cap; no spread was reported' })),
    occurredAt: Time,
    createdAt: Time,
  }),
)

/** Returns the wire form of a line; an introducing broker does not see client and position of other levels' lines. */
export function toLine(row: LineRow, masked: boolean): Static<typeof LineOut> {
  const hidden = masked && row.level > 1
  const position = row.source.startsWith('trade:') ? row.source.slice('trade:'.length) : null
  return {
    id: row.id,
    affiliateId: row.affiliateId,
    traderId: hidden ? null : row.traderId,
    runId: row.runId,
    level: row.level,
    model: row.model,
    sourceType: row.sourceType,
    sourceId: hidden ? null : position,
    symbol: row.symbol,
    lots: row.symbol === null ? null : formatLots(row.lots),
    currency: row.currency,
    amount: formatAmount(row.amount, row.currency),
    rate: row.detail.rate,
    note: row.detail.noSpread ? 'no_spread' : row.detail.cut ? 'cut' : null,
    occurredAt: toIso(row.occurredAt),
    createdAt: toIso(row.createdAt),
  }
}

export const lineList = defineList({
  name: 'commissions',
  table: commissionLines,
  sorts: { occurredAt: 'occurredAt' },
  defaultSort: '-occurredAt',
  timeColumn: 'occurredAt',
  filters: {
    affiliateId: equals(commissionLines.affiliateId, Id),
    runId: equals(commissionLines.runId, Id),
    model: equals(commissionLines.model),
    sourceType: equals(commissionLines.sourceType),
    currency: equalsAny(commissionLines.currency, Currencies),
    earned: flagFilter(
      sql`${commissionLines.amount} <> 0 AND EXISTS (SELECT 1 FROM ${commissionRuns}
        WHERE ${commissionRuns.tenantId} = ? AND ${commissionRuns.id} = ${commissionLines.runId}
          AND ${commissionRuns.status} = 'closed')`,
      'only lines of closed runs with an amount',
      byTenant,
    ),
  },
})

export const BySymbolQuery = {
  affiliateId: Type.Optional(Id),
  from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description: 'not before; default 90 days' })),
  to: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
}
export const BySymbolOut = nameSchema(
  'CommissionsBySymbol',
  Type.Object({
    from: Time,
    to: Time,
    data: Type.Array(
      Type.Object({
        symbol: Type.String(),
        currency: Currency,
        lots: Type.String(),
        amount: Amount,
        lines: Type.Integer(),
      }),
    ),
  }),
)

export const ExplainOut = nameSchema(
  'CommissionExplained',
  Type.Object({
    source: Type.Object({ type: OneOf(SOURCE_TYPES), id: Nullable(Type.String()), occurredAt: Time }),
    planVersion: Type.Object({ planId: Id, number: Type.Integer(), validFrom: Time }),
    inputs: Type.Record(Type.String(), Type.String(), { description: 'what the source brought, word for word' }),
    steps: Type.Array(Type.String(), { description: 'the calculation in sentences' }),
    rate: Type.String(),
    result: worded(Amount, 'of this line'),
    recomputed: Nullable(worded(Amount, 'what the source gives now; null where it gives nothing')),
    equal: Type.Boolean({
      description: 'whether all lines of this source, level and model add up to what the source gives now',
    }),
  }),
)
