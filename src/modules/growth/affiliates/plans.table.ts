import { integer, text } from 'drizzle-orm/sqlite-core'
import { json, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const MODELS = ['lot', 'spread', 'commission', 'cpa', 'revenue'] as const
export type Model = (typeof MODELS)[number]
export const OVERRIDES = ['difference', 'split'] as const

/**
 * One rule of a plan. For lots and acquisitions `rate` is an amount in the plan's currency, otherwise a share. Amounts
 * and lots are decimal text; `from` is an ISO time.
 */
export type Rule = {
  model: Model
  symbols: string[]
  rate: string
  minDeposit?: string
  minLots?: string
  from?: string
}

/** Commission plans; their terms are in the versions. */
export const commissionPlans = tenantTable(
  'commission_plans',
  'cpl',
  {
    name: text().notNull(),
    createdBy: text(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'commission_plan' },
)
export type PlanRow = Row<typeof commissionPlans>

/** The terms of a plan from a moment on. A version never changes, and a line of commission names its version. */
export const commissionPlanVersions = tenantTable(
  'commission_plan_versions',
  'cpv',
  {
    planId: text().notNull(),
    number: integer().notNull(),
    currency: text().notNull(),
    rules: json<Rule[]>().notNull(),
    override: text({ enum: OVERRIDES }).notNull(),
    /** The shares of the levels, from the client upwards, as decimal text. */
    splits: json<string[]>().notNull().default([]),
    maxLevels: integer().notNull(),
    /** The whole chain gets at most this share of a source's revenue, as decimal text. */
    cap: text().notNull(),
    validFrom: time().notNull(),
    createdBy: text(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'commission_plan_version' },
)
export type PlanVersionRow = Row<typeof commissionPlanVersions>
