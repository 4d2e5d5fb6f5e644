import { type Static, Type } from '@sinclair/typebox'
import { totalFields } from '../../../platform/http/lists/list-totals.ts'
import { paging } from '../../../platform/http/lists/page.ts'
import { Currency, Id, Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { ConvertedSum, frame, MissingRates, MoneyQuery, Sum } from './reporting.model.ts'

export const TaxQuery = Type.Object(
  {
    ...MoneyQuery.properties,
    traderId: Type.Optional(Id),
    limit: paging.limit,
    cursor: paging.cursor,
    count: paging.count,
  },
  { additionalProperties: false },
)

export const TaxRow = nameSchema(
  'TaxRow',
  Type.Object(
    {
      traderId: Id,
      name: Nullable(Type.String()),
      country: Nullable(Type.String()),
      currency: Currency,
      opening: Sum,
      deposits: Sum,
      withdrawals: Sum,
      transfersIn: Sum,
      transfersOut: Sum,
      converted: Sum,
      adjustments: Sum,
      commissions: Sum,
      merged: Sum,
      closing: Sum,
      depositsConverted: ConvertedSum,
      withdrawalsConverted: ConvertedSum,
      missingRates: MissingRates,
    },
    {
      description: 'by the books; what left is below zero: opening and all others make up closing',
    },
  ),
)
export type TaxRow = Static<typeof TaxRow>

export const TaxOut = nameSchema(
  'TaxPage',
  Type.Object({
    ...frame,
    currency: Currency,
    data: Type.Array(TaxRow),
    nextCursor: Nullable(Type.String()),
    ...totalFields,
    missingRates: MissingRates,
  }),
)
export type TaxReport = Static<typeof TaxOut>
