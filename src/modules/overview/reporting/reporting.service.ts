import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { findRole } from '../../../platform/access/principal.ts'
import { MIB } from '../../../platform/bytes.ts'
import { statement } from '../../../platform/db/statement.ts'
import { csvResponse } from '../../../platform/http/answers/csv.ts'
import { report } from '../../../platform/http/answers/report-in-child.ts'
import { knownCurrency } from '../../../platform/wire/fields.ts'
import { toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { findClientNames } from '../../clients/traders/traders.rows.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { type Activity, ActivityOut } from './activity.model.ts'
import { type Cohorts, CohortsOut } from './cohorts.model.ts'
import { cohortsPeriod } from './cohorts.queries.ts'
import { type Dashboard, DashboardOut } from './dashboard.model.ts'
import { dashboardPeriod, readDashboard } from './dashboard.queries.ts'
import type { Asked } from './reporting.model.ts'
import { type Revenue, RevenueOut } from './revenue.model.ts'
import { revenuePeriod } from './revenue.queries.ts'

/** A part of a report’s file may have this much text; 100,000 rows have some 13 MB. */
const MOST_OF_PART = 16 * MIB

/** Returns the firm's today, and the currency to convert into: the one asked for, or else the firm's own. */
export function settingsFor(ctx: Ctx, asked?: string): { today: string; currency: string } {
  const { timeZone, currency } = readFirmSettings(ctx.db)
  return {
    today: toDay(ctx.now(), timeZone),
    currency: asked === undefined ? currency : knownCurrency('query.currency', asked),
  }
}

/** Sends a report as a file, which is audited. */
export async function asFile(
  ctx: Ctx,
  name: string,
  asked: object,
  columns: readonly string[],
  rows: Parameters<typeof csvResponse>[3],
): Promise<Response> {
  requireFresh(ctx)
  await ctx.write('report.export', (tx) => tx.audit({ entity: 'report', after: { report: name, ...asked } }))
  return csvResponse(ctx, `${name}.csv`, columns, rows, MOST_OF_PART)
}

const LARGE = [
  statement(sql`SELECT 1 AS n FROM ${deposits} WHERE ${deposits.tenantId} = ?1 LIMIT 1 OFFSET 5000`),
  statement(sql`SELECT 1 AS n FROM ${traders} WHERE ${traders.tenantId} = ?1 LIMIT 1 OFFSET 5000`),
]

/**
 * Answers the start page of staff. For a small firm, reading it takes less time than starting a child, so it is read
 * each time and always current; for a large firm a child reads it, and the answer is cached.
 */
export async function dashboard(ctx: Ctx, query: Asked): Promise<Dashboard | Response> {
  const { today, currency } = settingsFor(ctx, query.currency)
  const role = findRole(ctx.principal)
  const params = {
    ...dashboardPeriod(query, today),
    currency: query.currency === undefined ? null : currency,
    // as in the tax report, balances of single clients are only for managers
    largest: role !== null && atLeast(role, 'manager'),
  }
  const isLarge = params.currency !== null || LARGE.some((sql) => ctx.db.query(sql).length > 0)
  const read = isLarge
    ? await report(ctx, 'reports.dashboard', params, DashboardOut)
    : readDashboard(ctx.db, { ...params, now: ctx.now() })
  if (query.format !== 'csv') return nameLargest(ctx, read)
  const rows = read.money.flatMap(({ currency: of, days }) =>
    days.map(({ day, deposits: into, withdrawals: out, net }) => [
      day,
      of,
      into.count,
      into.amount,
      out.count,
      out.amount,
      net,
    ]),
  )
  const columns = ['day', 'currency', 'deposits', 'depositsAmount', 'withdrawals', 'withdrawalsAmount', 'net']
  return asFile(ctx, 'dashboard', query, columns, [rows])
}

function nameLargest(ctx: Ctx, read: Dashboard): Dashboard {
  const { firm } = read
  if (!firm?.largest) return read
  const ids = firm.largest.map(({ traderId }) => traderId)
  const names = findClientNames(ctx.db, ids)
  const largest = firm.largest.map((client) => ({ ...client, name: names.get(client.traderId) ?? null }))
  return { ...read, firm: { ...firm, largest } }
}

/** Answers clients by month of registration. RULES “Reports”. */
export async function cohorts(ctx: Ctx, query: Omit<Asked, 'currency'>): Promise<Cohorts | Response> {
  const read = await report(ctx, 'reports.cohorts', cohortsPeriod(query, settingsFor(ctx).today), CohortsOut)
  if (query.format !== 'csv') return read
  const rows = read.cohorts.flatMap(({ month, traders: size, months }) =>
    months.map(({ since, month: in_, withFirstDeposit, depositing }) => [
      month,
      size,
      since,
      in_,
      withFirstDeposit,
      depositing,
    ]),
  )
  const columns = ['cohort', 'traders', 'monthsSince', 'month', 'withFirstDeposit', 'depositing']
  return asFile(ctx, 'cohorts', query, columns, [rows])
}

/** Answers commission by type of source. RULES “Reports”, “Commissions”. */
export async function revenue(ctx: Ctx, query: Asked): Promise<Revenue | Response> {
  const { today, currency } = settingsFor(ctx, query.currency)
  const read = await report(ctx, 'reports.revenue', { ...revenuePeriod(query, today), currency }, RevenueOut)
  if (query.format !== 'csv') return read
  const into = (converted: string | null) => (converted === null ? null : currency)
  const rows = [
    ...read.data.map((row) => [
      row.sourceType,
      row.currency,
      row.count,
      row.amount,
      row.converted,
      into(row.converted),
      'affiliate_costs',
    ]),
    ...read.earned.data.map((row) => [
      row.part,
      row.currency,
      null,
      row.amount,
      row.converted,
      into(row.converted),
      'revenue',
    ]),
  ]
  const columns = ['sourceType', 'currency', 'count', 'amount', 'converted', 'convertedCurrency', 'side']
  return asFile(ctx, 'revenue-breakdown', query, columns, [rows])
}

/** Answers each user's acts of the last seven days. RULES “Reports”. */
export async function activity(ctx: Ctx, query: Pick<Asked, 'format'>): Promise<Activity | Response> {
  const read = await report(ctx, 'reports.activity', {}, ActivityOut)
  if (query.format !== 'csv') return read
  const rows = read.users.flatMap(({ userId, name, actions }) =>
    actions.map(({ action, count }) => [userId, name, action, count]),
  )
  return asFile(ctx, 'activity', {}, ['userId', 'name', 'action', 'count'], [rows])
}
