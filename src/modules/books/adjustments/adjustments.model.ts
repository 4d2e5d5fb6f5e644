import { Type } from '@sinclair/typebox'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Amount, Currency, Id, OneOf, Prose, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { adjustments, DIRECTIONS } from './adjustments.table.ts'

export const AdjustmentIn = nameSchema(
  'AdjustmentIn',
  Strict({
    traderId: Id,
    currency: Currency,
    direction: OneOf(DIRECTIONS),
    amount: Amount,
    reason: Prose(1000),
  }),
)
export const AdjustmentApproveIn = nameSchema('AdjustmentApproveIn', Strict({ note: Type.Optional(Prose(1000)) }))
export const AdjustmentRejectIn = nameSchema('AdjustmentRejectIn', Strict({ reason: Prose(1000) }))

export const AdjustmentOut = nameSchema('Adjustment', Type.Object(wireFields(adjustments)))
export const AdjustmentRowOut = buildRowSchema(AdjustmentOut)
export const toAdjustment = wireMapper(adjustments)

export const adjustmentList = defineList({
  name: 'adjustments',
  table: adjustments,
  money: { amount: 'amount', currency: 'currency' },
  filters: {
    status: equals(adjustments.status),
    currency: equalsAny(adjustments.currency, Currencies),
    traderId: equals(adjustments.traderId, Id),
    q: rowSearch(adjustments, { description: 'the id' }),
  },
})
