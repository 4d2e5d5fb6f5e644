import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import type { Cohorts } from './cohorts.model.ts'
import { listMonths, readPeriod, type Stretch } from './reporting.period.ts'

const MOST_DAYS = 5 * 366
const usual = (to: string): string => `${Number(to.slice(0, 4)) - 1}${addDays(to, -1).slice(4, 7)}-01`

/** Returns the days of registration that the query names, or by default the last thirteen months. */
export const cohortsPeriod = (query: { from?: string; to?: string }, today: string) =>
  readPeriod(query, today, { usual, most: MOST_DAYS })

export const CohortsParams = Type.Object({ from: Type.String(), to: Type.String(), now: Type.Integer() })

const REGISTERED = statement(
  sql`SELECT count(*) AS n FROM ${traders}
  WHERE ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL
    AND ${traders.createdAt} >= ?2 AND ${traders.createdAt} < ?3`,
)
// deposits are read in batches in the order of the index, so that none must be sorted or kept in memory
const BATCH = 50_000
const CREDITED = statement(
  sql`SELECT ${listed({ id: deposits.traderId, at: deposits.settledAt, registered: traders.createdAt })}
  FROM ${deposits} CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${deposits.traderId}
    AND ${traders.deletedAt} IS NULL AND ${traders.createdAt} >= ?2 AND ${traders.createdAt} < ?3
  WHERE ${deposits.tenantId} = ?1 AND (${deposits.traderId}, ${deposits.settledAt}) > (?4, ?5)
    AND ${deposits.settledAt} IS NOT NULL
  ORDER BY ${deposits.traderId}, ${deposits.settledAt} LIMIT ${sql.raw(String(BATCH))}`,
)
type CreditedRow = { id: string; at: number; registered: number }

/** Returns the index of the period that contains a moment; −1 before the first one. */
function findStretch(stretches: readonly Stretch[], at: number): number {
  let [low, high] = [0, stretches.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stretches[middle]?.start ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Reads clients by month of registration, and how many of them paid in during each month since. RULES “Reports”. */
export function readCohorts(db: Reader, { from, to, now }: Static<typeof CohortsParams>): Cohorts {
  const { timeZone } = readFirmSettings(db)
  const [start, end] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const cohorts = listMonths({ from, to }, timeZone)
  const until = [to, addDays(toDay(now, timeZone), 1)].sort().at(-1) ?? to
  const months = listMonths({ from, to: until }, timeZone)
  // for each cohort and month: how many first deposits, and how many clients who paid in
  const first = cohorts.map(() => new Uint32Array(months.length))
  const depositing = cohorts.map(() => new Uint32Array(months.length))
  const bump = (of: readonly Uint32Array[], cohort: number, month: number): void => {
    const counts = of[cohort]
    if (counts && month < counts.length) counts[month] = (counts[month] ?? 0) + 1
  }
  let [id, at, month] = ['', 0, -1]
  for (;;) {
    const rows = db.query<CreditedRow>(CREDITED, [start, end, id, at])
    for (const row of rows) {
      const cohort = findStretch(cohorts, row.registered)
      // a deposit from before its client was entered counts in the month of registration
      const paid = Math.max(findStretch(months, row.at), cohort)
      if (row.id !== id) bump(first, cohort, paid)
      if (row.id !== id || paid !== month) bump(depositing, cohort, paid)
      id = row.id
      at = row.at
      month = paid
    }
    if (rows.length < BATCH) break
  }
  return {
    from,
    to,
    timeZone,
    asOf: toIso(now),
    monthEdges: [...months.map(({ start: begins }) => begins), ...months.slice(-1).map(({ end: ends }) => ends)].map(
      toIso,
    ),
    cohorts: cohorts.map(({ name, start: begins, end: ends }, cohort) => {
      let withFirstDeposit = 0
      const [startsAt, endsAt] = [Math.max(begins, start), Math.min(ends, end)]
      return {
        month: name,
        startsAt: toIso(startsAt),
        endsAt: toIso(endsAt),
        traders: db.query<{ n: number }>(REGISTERED, [startsAt, endsAt])[0]?.n ?? 0,
        months: months.slice(cohort).map((since, index) => {
          withFirstDeposit += first[cohort]?.[cohort + index] ?? 0
          return {
            since: index,
            month: since.name,
            withFirstDeposit,
            depositing: depositing[cohort]?.[cohort + index] ?? 0,
          }
        }),
      }
    }),
  }
}
