import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import {
  Amount,
  Currency,
  Id,
  InstrumentSymbol,
  Line,
  OneOf,
  SHARE,
  Strict,
  Time,
  Version,
} from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { commissionPlans, MODELS, OVERRIDES, type PlanRow, type PlanVersionRow } from '../affiliates/plans.table.ts'

const Share = (description: string) => Type.String({ pattern: SHARE, maxLength: 8, description })
const Rate = Type.String({
  pattern: '^\\d{1,9}(\\.\\d{1,8})?$',
  maxLength: 18,
  description: 'lot, cpa: an amount of the plan’s currency; spread, commission, revenue: a share from 0 to 1',
})
const Lots = Type.String({ pattern: '^\\d{1,7}(\\.\\d{1,8})?$', maxLength: 17 })

const RuleIn = nameSchema(
  'CommissionRule',
  Strict({
    model: OneOf(MODELS),
    symbols: Type.Array(InstrumentSymbol, {
      minItems: 1,
      maxItems: 50,
      description: 'patterns such as EUR*; of the rules for trades the first that fits counts',
    }),
    rate: Rate,
    minDeposit: Type.Optional(worded(Amount, 'cpa: least first deposit')),
    minLots: Type.Optional(Lots),
    from: Type.Optional(Type.String({ format: 'date-time', maxLength: 40 })),
  }),
)

const terms = {
  currency: Currency,
  rules: Type.Array(RuleIn, { minItems: 1, maxItems: 50 }),
  override: OneOf(OVERRIDES, { description: 'what upper levels get: their rate less those below, or a fixed share' }),
  splits: Type.Optional(Type.Array(Share('of one level, from the client up'), { maxItems: 10 })),
  maxLevels: Type.Integer({ minimum: 1, maximum: 10 }),
  cap: Share('the share of a source’s revenue that its whole chain gets at most'),
}
const validFrom = Type.Optional(
  Type.String({ format: 'date-time', maxLength: 40, description: 'now, or a later moment' }),
)
export const PlanIn = nameSchema('CommissionPlanIn', Strict({ name: Line(100), ...terms, validFrom }))
export const PlanPatch = nameSchema(
  'CommissionPlanPatch',
  Strict({
    name: Type.Optional(Line(100)),
    ...Type.Partial(Type.Object(terms)).properties,
    validFrom,
  }),
)
export type Terms = Static<typeof PlanIn>

export const CalculateIn = nameSchema(
  'CommissionSampleIn',
  Strict({
    ...terms,
    trade: Strict({
      symbol: InstrumentSymbol,
      lots: Lots,
      currency: Type.Optional(worded(Currency, 'of the account; the plan’s where absent')),
      spread: Type.Optional(worded(Amount, 'what it cost')),
      commission: Type.Optional(Amount),
      swap: Type.Optional(Amount),
    }),
    above: Type.Optional(Type.Array(Id, { maxItems: 9, description: 'plans of the upper levels, from below' })),
  }),
)
export const CalculateOut = nameSchema(
  'CommissionSample',
  Type.Object({
    levels: Type.Array(
      Type.Object({ level: Type.Integer(), rate: Type.String(), amount: Amount, cut: Type.Boolean() }),
    ),
    currency: Currency,
    steps: Type.Array(Type.String(), { description: 'the calculation in sentences' }),
  }),
)

const VersionOut = nameSchema(
  'CommissionPlanVersion',
  Type.Object({
    id: Id,
    number: Type.Integer(),
    ...terms,
    splits: Type.Array(Type.String()),
    validFrom: Time,
    createdAt: Time,
  }),
)
export const PlanOut = nameSchema(
  'CommissionPlan',
  Type.Object({
    id: Id,
    name: Type.String(),
    versions: Type.Array(VersionOut, { description: 'the newest first, at most 50' }),
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export type Plan = Static<typeof PlanOut>

export const toPlan = (row: PlanRow, versions: readonly PlanVersionRow[]): Plan => ({
  id: row.id,
  name: row.name,
  versions: versions
    .toSorted((a, b) => b.number - a.number)
    .slice(0, 50)
    .map((one) => ({
      id: one.id,
      number: one.number,
      currency: one.currency,
      rules: one.rules,
      override: one.override,
      splits: one.splits,
      maxLevels: one.maxLevels,
      cap: one.cap,
      validFrom: toIso(one.validFrom),
      createdAt: toIso(one.createdAt),
    })),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const planList = defineList({ name: 'commission-plans', table: commissionPlans, filters: {} })
