import { type Static, Type } from '@sinclair/typebox'
import { Currency, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { SOURCE_TYPES } from './commission-revenue.ts'
import { ConvertedSum, Count, Day, frame, frameExample, MissingRates, Sum } from './reporting.model.ts'

const SourceType = nameSchema('CommissionSourceType', OneOf(SOURCE_TYPES))

export const RevenueOut = nameSchema(
  'RevenueBreakdown',
  Type.Object(
    {
      ...frame,
      currency: Currency,
      total: ConvertedSum,
      sources: Type.Array(Type.Object({ sourceType: SourceType, count: Count, converted: ConvertedSum })),
      data: Type.Array(
        Type.Object({
          sourceType: SourceType,
          currency: Currency,
          count: Count,
          amount: Sum,
          converted: ConvertedSum,
        }),
      ),
      days: Type.Array(Type.Object({ day: Day, sourceType: SourceType, converted: ConvertedSum })),
      missingRates: MissingRates,
    },
    {
      examples: [
        { ...frameExample, currency: 'EUR', total: '125.50', sources: [], data: [], days: [], missingRates: [] },
      ],
    },
  ),
)
export type Revenue = Static<typeof RevenueOut>
