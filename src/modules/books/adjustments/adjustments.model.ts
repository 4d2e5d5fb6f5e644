import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Prose, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { rowOf, rowSearch } from '../../clients/traders/traders.rows.ts'
import { ADJUSTMENT_STATUS, type AdjustmentRow, adjustments, DIRECTIONS } from './adjustments.table.ts'

export const AdjustmentIn = named(
  'AdjustmentIn',
  Strict({
    traderId: Id,
    currency: Currency,
    direction: OneOf(DIRECTIONS),
    amount: Amount,
    reason: Prose(1000),
  }),
)
export const AdjustmentApproveIn = named('AdjustmentApproveIn', Strict({ note: Type.Optional(Prose(1000)) }))
export const AdjustmentRejectIn = named('AdjustmentRejectIn', Strict({ reason: Prose(1000) }))

export const AdjustmentOut = named(
  'Adjustment',
  Type.Object({
    id: Id,
    traderId: Id,
    walletId: Id,
    direction: OneOf(DIRECTIONS),
    currency: Currency,
    amount: Amount,
    reason: Type.String(),
    status: OneOf(ADJUSTMENT_STATUS),
    requestedBy: Id,
    decidedBy: Nullable(Id),
    decisionNote: Nullable(Type.String()),
    decidedAt: Nullable(Time),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const AdjustmentRowOut = rowOf(AdjustmentOut)

/** The wire form of an adjustment. */
export const toAdjustment = (row: AdjustmentRow): Static<typeof AdjustmentOut> => ({
  id: row.id,
  traderId: row.traderId,
  walletId: row.walletId,
  direction: row.direction,
  currency: row.currency,
  amount: formatAmount(row.amount, row.currency),
  reason: row.reason,
  status: row.status,
  requestedBy: row.requestedBy,
  decidedBy: row.decidedBy,
  decisionNote: row.decisionNote,
  decidedAt: row.decidedAt === null ? null : toIso(row.decidedAt),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const adjustmentList = defineList({
  name: 'adjustments',
  table: adjustments,
  money: { amount: 'amount', currency: 'currency' },
  filters: {
    status: equals(adjustments.status),
    currency: equalsAny(adjustments.currency, Currencies),
    traderId: equals(adjustments.traderId, Id),
    q: rowSearch(adjustments, { told: 'the id' }),
  },
})
