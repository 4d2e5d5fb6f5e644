import { type Static, Type } from '@sinclair/typebox'
import { Currency, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { SOURCE_TYPES } from './commission-revenue.ts'
import { ConvertedSum, Count, Day, frame, MissingRates, Sum } from './reporting.model.ts'

/** What the firm earns from its clients; `house` is what they lose by prices, the spread included. */
export const EARNED_PARTS = ['spread', 'commission', 'swap', 'conversion', 'house'] as const
const EarnedPart = nameSchema(
  'EarnedPart',
  OneOf(EARNED_PARTS, { description: 'house: what clients lost by prices; not in the total' }),
)
const EarningsOut = nameSchema(
  'FirmEarnings',
  Type.Object({
    from: Day,
    to: Day,
    total: ConvertedSum,
    parts: Type.Array(Type.Object({ part: EarnedPart, converted: ConvertedSum })),
    data: Type.Array(Type.Object({ part: EarnedPart, currency: Currency, amount: Sum, converted: ConvertedSum })),
    trades: Count,
    withoutSpread: Type.Integer({ description: 'trades whose spread is not known' }),
    unlinked: Type.Integer({ description: 'trades of no known account, not in the sums' }),
    missingRates: MissingRates,
  }),
)
export type Earnings = Static<typeof EarningsOut>

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
      earned: EarningsOut,
      earnedBefore: EarningsOut,
      net: ConvertedSum,
    },
    { description: '`earned` is what the firm earned from clients, all else what affiliates did' },
  ),
)
export type Revenue = Static<typeof RevenueOut>
