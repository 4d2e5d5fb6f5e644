import { type Static, Type } from '@sinclair/typebox'
import { Amount, Currency, Id, Line, Nullable, OneOf, Strict, Time } from '../../platform/http/fields.ts'

/** The interface says number; a decimal string is exact for any number of digits. */
const Rate = Type.Union([
  Type.Number({ exclusiveMinimum: 0, maximum: 1e15 }),
  Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,18})?$', description: 'exact decimal' }),
])
const rate = { base: Currency, quote: Currency, rate: Rate }

export const GlobalRateIn = Strict(rate)
export const UpsertIn = Strict({
  rates: Type.Array(Strict({ ...rate, source: Type.Optional(Line(50)) }), { minItems: 1, maxItems: 500 }),
  global: Type.Optional(Type.Boolean({ description: 'the pool of all tenants; platform_admin only' })),
})
export const ConvertQuery = Strict({ amount: Amount, base: Currency, quote: Currency })

const POOLS = ['tenant', 'global'] as const
export const RateOut = Type.Object({
  id: Id,
  base: Currency,
  quote: Currency,
  rate: Type.String({ description: 'units of quote for one base, exact' }),
  pool: OneOf(POOLS),
  source: Type.String(),
  asOf: Time,
  ageSeconds: Type.Integer(),
})
export type Rate = Static<typeof RateOut>
export const RatesOut = Type.Object({ data: Type.Array(RateOut), nextCursor: Type.Null() })

export const ConversionOut = Type.Object({
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
})
