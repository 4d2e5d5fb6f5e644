import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { readInChild } from '../../../platform/query-runner/in-child.ts'
import { MODELS } from '../affiliates/plans.table.ts'
import { type Batch, PHASES, runBatch } from './batches.ts'
import { commissionLines as lines, commissionRuns as runs, SOURCE_TYPES } from './commissions.table.ts'

const literals = <const T extends readonly string[]>(words: T) => Type.Union(words.map((word) => Type.Literal(word)))

const Totals = Type.Array(
  Type.Object({ affiliateId: Type.String(), currency: Type.String(), amount: Type.String(), lines: Type.Integer() }),
)
const Order = Type.Object({
  phase: Type.Unsafe<(typeof PHASES)[number]>(literals(PHASES)),
  cursor: Type.String(),
  fromAt: Type.Integer(),
  toAt: Type.Integer(),
  timeZone: Type.String(),
  since: Type.Union([Type.Integer(), Type.Null()]),
  covered: Type.Array(Type.Tuple([Type.Integer(), Type.Integer()])),
  size: Type.Integer(),
  linesWanted: Type.Boolean(),
  totals: Totals,
})
const Missing = Type.Array(Type.Object({ currency: Type.String(), day: Type.String() }))
const Line = Type.Object({
  source: Type.String(),
  affiliateId: Type.String(),
  traderId: Type.Union([Type.String(), Type.Null()]),
  level: Type.Integer(),
  model: Type.Unsafe<(typeof MODELS)[number]>(literals(MODELS)),
  sourceType: Type.Unsafe<(typeof SOURCE_TYPES)[number]>(literals(SOURCE_TYPES)),
  symbol: Type.Union([Type.String(), Type.Null()]),
  lots: Type.String(),
  occurredAt: Type.Integer(),
  planVersionId: Type.String(),
  currency: Type.String(),
  amount: Type.String(),
  detail: Type.Object({
    rate: Type.String(),
    cut: Type.Optional(Type.Literal(true)),
    noSpread: Type.Optional(Type.Literal(true)),
    revenue: Type.Optional(Type.String()),
    carried: Type.Optional(Type.String()),
  }),
  revision: Type.Integer(),
  contra: Type.Boolean(),
})
const Found = Type.Object({
  phase: Type.Union([Type.Unsafe<(typeof PHASES)[number]>(literals(PHASES)), Type.Null()]),
  cursor: Type.String(),
  sources: Type.Integer(),
  lines: Type.Array(Line),
  made: Type.Integer(),
  corrections: Type.Integer(),
  skipped: Type.Record(Type.String(), Type.Integer()),
  missing: Missing,
  months: Type.Record(
    Type.String(),
    Type.Object({ from: Type.Integer(), to: Type.Integer(), waiting: Type.Array(Type.String()) }),
  ),
  totals: Totals,
})
/** The result of a batch as the child sends it, with amounts and lots as text of whole units. */
export type FoundBatch = Static<typeof Found>
export type BatchOrder = Static<typeof Order>

/** Returns a batch as the child sends it; a dry run has sums by affiliate instead of lines. */
export function toFoundBatch(batch: Batch, linesWanted: boolean): FoundBatch {
  const totals = new Map<string, { affiliateId: string; currency: string; amount: bigint; lines: number }>()
  for (const { affiliateId, currency, amount } of batch.lines) {
    const key = `${affiliateId} ${currency}`
    const total = totals.get(key) ?? { affiliateId, currency, amount: 0n, lines: 0 }
    totals.set(key, { ...total, amount: total.amount + amount, lines: total.lines + 1 })
  }
  return {
    phase: batch.phase,
    cursor: batch.cursor,
    sources: batch.sources,
    lines: linesWanted
      ? batch.lines.map((line) => ({ ...line, lots: line.lots.toString(), amount: line.amount.toString() }))
      : [],
    made: batch.lines.length,
    corrections: batch.lines.filter(({ contra }) => contra).length,
    skipped: Object.fromEntries(Object.entries(batch.skipped)),
    missing: batch.missing,
    months: batch.months,
    totals: [...totals.values()].map((total) => ({ ...total, amount: total.amount.toString() })),
  }
}

/** Computes one batch of a run in a child. */
export function commissionBatchTask(input: unknown): FoundBatch {
  const { linesWanted, ...order } = Value.Decode(Order, Value.Clean(Order, structuredClone(input)))
  return toFoundBatch(
    readInChild(input, (db) => runBatch(db, order)),
    linesWanted,
  )
}

/** Starts the child for one batch of a firm's run. */
export async function computeBatch(ctx: Ctx, order: BatchOrder, signal: AbortSignal): Promise<FoundBatch> {
  const options = { deadlineMs: 5 * MINUTE, signal, background: true }
  return Value.Decode(Found, await ctx.runTask('commissions.batch', order, options))
}

const SUMS = statement(
  sql`SELECT ${listed({ affiliateId: lines.affiliateId, currency: lines.currency })}, ${sumAsText(lines.amount)} AS total,
    count(*) AS n FROM ${lines} WHERE ${lines.tenantId} = ?1 AND ${lines.runId} = ?2
  GROUP BY ${lines.affiliateId}, ${lines.currency}`,
)
const RunId = Type.Object({ runId: Type.String() })

/** Returns the sums of a run's lines by affiliate and currency. */
export function sumRunLines(db: Reader, runId: string): Static<typeof Totals> {
  type Sum = { affiliateId: string; currency: string; total: string; n: number }
  return db
    .query<Sum>(SUMS, [runId])
    .map(({ total, n, ...whose }) => ({ ...whose, amount: readSum(total).toString(), lines: n }))
}

/** Sums a run's lines in a child. */
export function runTotalsTask(input: unknown): Static<typeof Totals> {
  const { runId } = Value.Decode(RunId, Value.Clean(RunId, structuredClone(input)))
  return readInChild(input, (db) => sumRunLines(db, runId))
}

/** Starts the child that sums a run's lines, since half a million of them take most of a second. */
export const runTotals = async (ctx: Ctx, runId: string, signal: AbortSignal): Promise<Static<typeof Totals>> =>
  Value.Decode(
    Totals,
    await ctx.runTask('commissions.totals', { runId }, { deadlineMs: 5 * MINUTE, signal, background: true }),
  )

const SYMBOLS = statement(
  sql`SELECT ${listed({ symbol: lines.symbol, currency: lines.currency })}, ${sumAsText(lines.amount)} AS total,
    ${sumAsText(lines.lots, sql`?4 = 0 OR ${lines.level} = ?4`)} AS lots, count(*) AS n
  FROM ${lines} JOIN ${runs} ON ${runs.tenantId} = ?1 AND ${runs.id} = ${lines.runId} AND ${runs.status} = 'closed'
  WHERE ${lines.tenantId} = ?1 AND ${lines.symbol} IS NOT NULL AND ${lines.occurredAt} >= ?2 AND ${lines.occurredAt} < ?3
    AND (?5 = '' OR ${lines.affiliateId} = ?5)
  GROUP BY ${lines.symbol}, ${lines.currency} ORDER BY ${lines.symbol}, ${lines.currency} LIMIT 5000`,
)
const BySymbolIn = Type.Object({ from: Type.Integer(), to: Type.Integer(), affiliateId: Type.String() })
const BySymbol = Type.Array(
  Type.Object({
    symbol: Type.String(),
    currency: Type.String(),
    amount: Type.String(),
    lots: Type.String(),
    lines: Type.Integer(),
  }),
)

/** Sums closed lines by symbol and currency in a child, for one affiliate or (with an empty id) for all. */
export function commissionsBySymbolTask(input: unknown): Static<typeof BySymbol> {
  const { from, to, affiliateId } = Value.Decode(BySymbolIn, Value.Clean(BySymbolIn, structuredClone(input)))
  type Row = { symbol: string; currency: string; total: string; lots: string; n: number }
  return readInChild(input, (db) =>
    // for all affiliates each lot is counted once, at the client's broker; for one affiliate at any level
    db.query<Row>(SYMBOLS, [from, to, affiliateId === '' ? 1 : 0, affiliateId]).map((row) => ({
      symbol: row.symbol,
      currency: row.currency,
      lines: row.n,
      amount: readSum(row.total).toString(),
      lots: readSum(row.lots).toString(),
    })),
  )
}

/** Starts the child that sums closed lines by symbol and currency. */
export const bySymbol = async (ctx: Ctx, order: Static<typeof BySymbolIn>): Promise<Static<typeof BySymbol>> =>
  Value.Decode(BySymbol, await ctx.runTask('commissions.by-symbol', order, { deadlineMs: MINUTE / 2 }))
