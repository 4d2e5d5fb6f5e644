import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { Amount, Currency, Id, Nullable, OneOf, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { personBehind, refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'
import { PHASES } from './batches.ts'
import {
  commissionLines as lines,
  RUN_STATUS,
  type RunResult,
  type RunRow,
  commissionRuns as runs,
} from './commissions.table.ts'
import type { BatchOrder, FoundBatch } from './commissions.tasks.ts'
import { runStates } from './runs.states.ts'

/** One child takes this many positions or clients. */
const BATCH = 5000
/** One write takes this many lines, in some milliseconds. RULES “Commissions”. */
export const LINES_A_WRITE = 500
const MOST_DAYS = 366
/** A run fails for good after this many failures in a row, so that later runs are computed. */
const MOST_ATTEMPTS = 10

const Day = Type.String({ format: 'date', maxLength: 10 })
export const RunIn = nameSchema(
  'CommissionRunIn',
  Strict({
    from: Type.String({ format: 'date', maxLength: 10, description: 'first day, of the firm’s zone' }),
    to: Type.String({ format: 'date', maxLength: 10, description: 'the day after the last one; not after today' }),
    dryRun: Type.Optional(Type.Boolean({ description: 'say what would be earned, write nothing' })),
  }),
)
export const RunOut = nameSchema(
  'CommissionRun',
  Type.Object({
    id: Id,
    from: Day,
    to: Day,
    dryRun: Type.Boolean(),
    status: OneOf(RUN_STATUS),
    sources: Type.Integer({ description: 'positions, deposits and months looked at so far' }),
    lines: Type.Integer(),
    corrections: Type.Integer({ description: 'lines taken back because their source changed' }),
    skipped: Type.Record(Type.String(), Type.Integer(), { description: 'sources that brought nothing, by reason' }),
    missingRates: Type.Array(Type.Object({ currency: Currency, day: Day })),
    totals: Type.Array(Type.Object({ affiliateId: Id, currency: Currency, amount: Amount, lines: Type.Integer() }), {
      description: 'what the run adds, by affiliate',
    }),
    lastError: Nullable(Type.String()),
    askedBy: Nullable(Id),
    createdAt: Time,
    closedAt: Nullable(Time),
  }),
)

export const toRun = (row: RunRow): Static<typeof RunOut> => ({
  id: row.id,
  from: row.fromDay,
  to: row.toDay,
  dryRun: row.dryRun,
  status: row.status,
  sources: row.result.sources ?? 0,
  lines: row.result.lines ?? 0,
  corrections: row.result.corrections ?? 0,
  skipped: row.result.skipped ?? {},
  missingRates: row.result.missingRates ?? [],
  totals: (row.result.totals ?? []).map((total) => ({
    ...total,
    amount: formatAmount(BigInt(total.amount), total.currency),
  })),
  lastError: row.lastError,
  askedBy: row.askedBy,
  createdAt: toIso(row.createdAt),
  closedAt: row.closedAt === null ? null : toIso(row.closedAt),
})

export const runList = defineList({ name: 'commission-runs', table: runs, filters: {} })

/**
 * Requests a run over whole past days, which a job computes. Running a period again adds only what is new. 422 if the
 * period is empty, too long, or not over.
 */
export function startRun(ctx: Ctx, input: Static<typeof RunIn>): Promise<Static<typeof RunOut>> {
  const { from, to, dryRun = false } = input
  if (from >= to) throw invalid('to', 'order', say('affiliates.field.to_after_from'))
  if (from < '1990' || addDays(from, MOST_DAYS) < to)
    throw invalid('from', 'range', say('affiliates.field.too_long', { days: MOST_DAYS }))
  return ctx.write('commissions.run', (tx) => {
    refuseGivenPassword(tx, ctx)
    const { timeZone } = readFirmSettings(tx)
    if (to > toDay(tx.now, timeZone)) throw invalid('to', 'range', say('affiliates.field.not_over'))
    const [fromAt, toAt] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
    const row = tx.insert(runs, {
      fromDay: from,
      toDay: to,
      fromAt,
      toAt,
      dryRun,
      snapshotAt: tx.now,
      askedBy: personBehind(ctx),
    })
    return toRun(row)
  })
}

const EARLIER = statement(
  sql`SELECT ${listed({ fromAt: runs.fromAt, toAt: runs.toAt, snapshotAt: runs.snapshotAt })} FROM ${runs}
  WHERE ${runs.tenantId} = ?1 AND ${runs.status} = 'closed'`,
)

/** Returns what the next batch of a run is to compute. */
export function nextOrder(db: Reader, run: RunRow, timeZone: string): BatchOrder {
  const earlier = db.query<{ fromAt: number; toAt: number; snapshotAt: number }>(EARLIER)
  const phase = PHASES.find((one) => one === run.phase) ?? 'trades'
  return {
    phase,
    cursor: run.cursor,
    fromAt: run.fromAt,
    toAt: run.toAt,
    timeZone,
    since: earlier.length === 0 ? null : Math.max(...earlier.map(({ snapshotAt }) => snapshotAt)),
    covered: earlier.map(({ fromAt, toAt }) => [fromAt, toAt]),
    size: BATCH,
    linesWanted: !run.dryRun,
    totals: run.result.totals ?? [],
  }
}

/** Writes the lines of a batch, none of which exists: if a former batch was stopped, this one was computed after it. */
export function writeLines(tx: Tx, runId: string, list: FoundBatch['lines']): void {
  for (const { amount, lots, ...line } of list)
    tx.insert(lines, { ...line, runId, amount: BigInt(amount), lots: BigInt(lots) })
}

const PROGRESS = statement(
  sql`UPDATE ${runs} SET ${bare(runs.phase)} = ?3, ${bare(runs.cursor)} = ?4, ${bare(runs.result)} = ?5,
  ${bare(runs.months)} = ?7,
  ${bare(runs.lastError)} = NULL, ${bare(runs.attempts)} = 0, ${bare(runs.version)} = ${runs.version} + 1, ${bare(runs.updatedAt)} = ?6
  WHERE ${runs.tenantId} = ?1 AND ${runs.id} = ?2`,
)
function added(before: Partial<RunResult>, found: FoundBatch): RunResult {
  const totals = new Map((before.totals ?? []).map((total) => [`${total.affiliateId} ${total.currency}`, total]))
  for (const total of found.totals) {
    const key = `${total.affiliateId} ${total.currency}`
    const known = totals.get(key)
    const amount = (BigInt(known?.amount ?? 0) + BigInt(total.amount)).toString()
    totals.set(key, { ...total, amount, lines: (known?.lines ?? 0) + total.lines })
  }
  const skipped = { ...before.skipped }
  for (const [why, count] of Object.entries(found.skipped)) skipped[why] = (skipped[why] ?? 0) + count
  const missing = [...(before.missingRates ?? []), ...found.missing]
  const distinct = new Map(missing.map((one) => [`${one.currency} ${one.day}`, one]))
  return {
    sources: (before.sources ?? 0) + found.sources,
    lines: (before.lines ?? 0) + found.made,
    corrections: (before.corrections ?? 0) + found.corrections,
    skipped,
    missingRates: [...distinct.values()].slice(0, 200),
    totals: [...totals.values()],
  }
}

/** Stores that a batch was written: where the next one begins, and the result so far. */
export function noteProgress(tx: Tx, run: RunRow, found: FoundBatch): void {
  const result = JSON.stringify(added(run.result, found))
  const months = JSON.stringify({ ...run.months, ...found.months })
  tx.execute(PROGRESS, [run.id, found.phase ?? 'close', found.cursor, result, tx.now, months])
}

/** Stores why a run failed. It is tried again, and at last fails for good; its lines then do not count. */
export function noteFailure(tx: Tx, runId: string, why: string): void {
  const { status, attempts: before } = tx.get(runs, runId)
  if (status !== 'computing') return
  const changes = { lastError: why.slice(0, 500), attempts: before + 1 }
  if (changes.attempts < MOST_ATTEMPTS) tx.update(runs, runId, changes)
  else tx.transition(runs, runId, runStates, 'failed', { ...changes, closedAt: tx.now })
}

/** Closes a run in steps: either all of its lines count from now on, or none. A dry run changes no balance. */
export const closeRun = (ctx: Ctx, run: RunRow, sums: RunResult['totals']): Promise<null> =>
  ctx.writeSteps('commissions.close', function* (tx) {
    for (const [index, { affiliateId, currency, amount }] of sums.entries()) {
      const balance =
        tx.find(affiliateBalances, { affiliateId, currency }) ?? tx.insert(affiliateBalances, { affiliateId, currency })
      tx.update(affiliateBalances, balance.id, { earned: balance.earned + BigInt(amount) })
      if (index % 50 === 49) yield
    }
    // sums by batch may lack lines that were written before a stop
    const counted = { totals: sums, lines: sums.reduce((sum, total) => sum + total.lines, 0) }
    const result = run.dryRun ? run.result : { ...run.result, ...counted }
    tx.transition(runs, run.id, runStates, run.dryRun ? 'done' : 'closed', { closedAt: tx.now, result })
    return null
  })
