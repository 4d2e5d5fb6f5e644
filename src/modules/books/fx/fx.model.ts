import { type Static, Type } from '@sinclair/typebox'
import { OnePage } from '../../../platform/http/lists/page.ts'
import { Amount, Currency, Id, Line, Nullable, OneOf, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** The interface takes a number, which is read digit by digit, or a decimal string if more digits are needed. */
const Rate = Type.Union([
  Type.Number({ exclusiveMinimum: 0, maximum: 1e15 }),
  Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,18})?$', description: 'exact decimal' }),
])
const force = Type.Optional(
  Type.Boolean({
    description: 'the owner’s second word for a rate that waits, after an hour, where nobody else could confirm it',
  }),
)
const rate = { base: Currency, quote: Currency, rate: Rate }
const since = Type.Optional(
  Type.String({
    format: 'date',
    maxLength: 10,
    description:
      'a day that is over and had no rate: counts from then until there was one, for reports and commissions alone',
  }),
)
const example = { base: 'EUR', quote: 'USD', rate: '1.0845' }

export const GlobalRateIn = nameSchema('FxGlobalRateIn', Strict({ ...rate, force }, { examples: [example] }))
export const UpsertIn = nameSchema(
  'FxRateIn',
  Strict(
    {
      rates: Type.Array(Strict({ ...rate, source: Type.Optional(Line(50)), since }), { minItems: 1, maxItems: 500 }),
      global: Type.Optional(Type.Boolean({ description: 'the pool of all tenants; platform_admin only' })),
      force,
    },
    { examples: [{ rates: [example] }] },
  ),
)
export const ConvertQuery = Strict({
  amount: Amount,
  base: Currency,
  quote: Currency,
  for: Type.Optional(
    OneOf(['staff', 'client'], {
      description: 'who converts: a client’s own conversion is at the firm’s terms; `staff` where absent',
    }),
  ),
})

export const RatesQuery = Strict({
  past: Type.Optional(
    Type.Boolean({ description: 'instead of current rates those that were entered for days that were over' }),
  ),
})

const POOLS = ['tenant', 'global'] as const
const RateOut = nameSchema(
  'FxRate',
  Type.Object({
    id: Id,
    base: Currency,
    quote: Currency,
    rate: Type.String({ description: 'units of quote for one base, exact' }),
    pool: OneOf(POOLS),
    source: Type.String(),
    asOf: Time,
    ageSeconds: Type.Integer(),
    since: Nullable(
      Type.String({ format: 'date', description: 'the first day of those over that it was entered for' }),
    ),
    unconfirmed: Type.Boolean({
      description: 'far from the day before: holds for nothing until a second person sends it',
    }),
    confirmation: Nullable(
      Type.Object({
        by: OneOf(['another_person', 'owner'], { description: '`owner`: by sending it again with `force`' }),
        from: Time,
      }),
    ),
  }),
)
export type Rate = Static<typeof RateOut>
export const RatesOut = nameSchema('FxRates', Type.Object({ data: Type.Array(RateOut), nextCursor: OnePage }))

export const ConversionOut = nameSchema(
  'FxConversion',
  Type.Object({
    amount: Amount,
    base: Currency,
    quote: Currency,
    result: Amount,
    rate: Type.String({ description: 'the rate used, to 18 places' }),
    via: OneOf(['same', 'direct', 'inverse', 'pivot']),
    pool: Nullable(OneOf(POOLS)),
    source: Nullable(Type.String()),
    rateIds: Type.Array(Id),
    asOf: Nullable(Time),
    ageSeconds: Nullable(Type.Integer()),
  }),
)
