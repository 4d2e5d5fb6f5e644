import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, json, money, time } from '../../../platform/db/columns.ts'
import { kept } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { MODELS } from '../affiliates/plans.table.ts'

export const RUN_STATUS = ['computing', 'closed', 'done', 'failed'] as const
export const SOURCE_TYPES = ['trade', 'deposit', 'revenue', 'override', 'correction'] as const

/** The result of a run so far. Amounts are decimal text; days are in the firm's time zone. */
export type RunResult = {
  sources: number
  lines: number
  corrections: number
  skipped: Record<string, number>
  missingRates: { currency: string; day: string }[]
  totals: { affiliateId: string; currency: string; amount: string; lines: number }[]
}

/**
 * The months that a run computed: their borders, which a later time zone does not change, and the affiliates who have
 * no line yet because their month waits for a rate.
 */
export type MonthsDone = Record<string, { from: number; to: number; waiting: string[] }>

/** One computation of commissions for some days; it counts once it is closed. */
export const commissionRuns = tenantTable(
  'commission_runs',
  'crn',
  {
    fromDay: text().notNull(),
    toDay: text().notNull(),
    fromAt: time().notNull(),
    toAt: time().notNull(),
    dryRun: flag().notNull(),
    status: text({ enum: RUN_STATUS }).notNull().default('computing'),
    phase: text().notNull().default('trades'),
    cursor: text().notNull().default(''),
    snapshotAt: time().notNull(),
    result: json<Partial<RunResult>>().notNull().default({}),
    months: json<MonthsDone>().notNull().default({}),
    lastError: text(),
    attempts: integer().notNull().default(0),
    askedBy: text(),
    closedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'commission_run' },
)
export type RunRow = Row<typeof commissionRuns>

/** How a line was made, for showing it; `explain` computes it again from the source. */
export type LineDetail = { rate: string; cut?: true; noSpread?: true; revenue?: string; carried?: string }

/** What one source earned one affiliate. A line never changes: if its source does, a contra line takes it back. */
export const commissionLines = tenantTable(
  'commission_lines',
  'cml',
  {
    runId: text().notNull(),
    affiliateId: text().notNull(),
    traderId: text(),
    level: integer().notNull(),
    model: text({ enum: MODELS }).notNull(),
    sourceType: text({ enum: SOURCE_TYPES }).notNull(),
    source: text().notNull(),
    revision: integer().notNull().default(1),
    contra: flag().notNull().default(false),
    symbol: text(),
    /** The traded lots, in units of 0.00000001 lot. */
    lots: money().notNull().default(0n),
    occurredAt: time().notNull(),
    planVersionId: text().notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    detail: json<LineDetail>().notNull(),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'commission_line',
    currencies: { lots: null },
    audited: false,
    broker: 'affiliateId',
    person: {
      of: 'traderId',
      columns: kept(
        'what an affiliate earned, without whose trade it was',
        'runId',
        'affiliateId',
        'source',
        'symbol',
        'planVersionId',
        'currency',
        'detail',
      ),
    },
  },
)
export type LineRow = Row<typeof commissionLines>
