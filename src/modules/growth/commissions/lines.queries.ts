import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findAffiliateId } from '../../../platform/access/principal.ts'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readApart } from '../../../platform/http/answers/report-in-child.ts'
import { parseTime } from '../../../platform/http/lists/list-filters.ts'
import { type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { type SentenceKey, say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { formatLots } from '../../books/positions/lots.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { EMPTY_PAGE, hasNoOwn, isMasked } from '../affiliates/affiliates.reader.ts'
import { affiliates } from '../affiliates/affiliates.table.ts'
import { commissionPlanVersions } from '../affiliates/plans.table.ts'
import { findAcquisition, listCreditedDeposits, readMaxAcquisition, ruleMet } from './acquisitions.ts'
import { findTrade } from './closed-trades.ts'
import { type LineRow, commissionLines as lines } from './commissions.table.ts'
import { bySymbol } from './commissions.tasks.ts'
import { type Member, MissingRate, type Step } from './compute.ts'
import { createDayRates } from './day-rates.ts'
import { sumNet } from './differences.ts'
import { type BySymbolOut, ExplainOut, type LineOut, lineList, toLine } from './lines.model.ts'
import { createMonths } from './months.ts'
import { buildDepositLines, buildTradeLines, type Wanted } from './sources.ts'
import { broughtTrades, readTermsBook, type TermsBook } from './terms.ts'

/** Selects lines that count: those of closed runs. */
export const COUNTED = `${' '}AND commission_lines.run_id IN (SELECT id FROM commission_runs
  WHERE commission_runs.tenant_id = commission_lines.tenant_id AND commission_runs.status = 'closed')`

/** Lists lines of closed runs: the firm's, or the caller's own. */
export function listLines(
  ctx: Ctx,
  { self, ...query }: Query & { self?: string | undefined },
): PageOf<Static<typeof LineOut>> {
  if (hasNoOwn(ctx, self)) return EMPTY_PAGE
  return readPage(ctx, lineList, query, (row) => toLine(row, isMasked(ctx)), {}, { sql: COUNTED, params: [] })
}

type SymbolQuery = { self?: string; affiliateId?: string; from?: string; to?: string }

/** Sums closed lines by symbol, for 90 days or a given period; an introducing broker gets only their own. */
export async function linesBySymbol(ctx: Ctx, query: SymbolQuery): Promise<Static<typeof BySymbolOut>> {
  const given = query.from === undefined ? undefined : parseTime('from', query.from)
  const to = query.to === undefined ? Math.max(ctx.now(), (given ?? 0) + 1) : parseTime('to', query.to)
  const from = given ?? to - 90 * DAY
  if (from >= to) throw invalid('query.to', 'order', say('affiliates.field.to_after_from'))
  const own = findAffiliateId(ctx.principal)
  const data =
    hasNoOwn(ctx, query.self) || (own !== null && query.affiliateId !== undefined && query.affiliateId !== own)
      ? []
      : await bySymbol(ctx, { from, to, affiliateId: own ?? query.affiliateId ?? '' })
  return {
    from: toIso(from),
    to: toIso(to),
    data: data.map(({ symbol, currency, lots, amount, lines: count }) => ({
      symbol,
      currency,
      lines: count,
      lots: formatLots(BigInt(lots)),
      amount: formatAmount(BigInt(amount), currency),
    })),
  }
}

type Recomputed = { wanted: Wanted[]; inputs: Record<string, string> }

function findChain(book: TermsBook, affiliateId: string, at: number, traderId: string | null): Member[] {
  const isSame = book.sameAs(traderId === null ? [] : [traderId])
  return book.chainAt(affiliateId, at, (id) => traderId !== null && isSame(traderId, id))
}

/** Computes what the source of a line would earn today. */
function recompute(db: Reader, line: LineRow, timeZone: string, tell: (step: Step) => void): Recomputed {
  const book = readTermsBook(db)
  const rates = createDayRates(db, timeZone)
  const [kind = '', id = '', month = ''] = line.source.split(':')
  if (kind === 'trade') {
    const trade = findTrade(db, id)
    if (!trade) return { wanted: [], inputs: {} }
    const { traderId, closedAt, symbol, lots, currency, spread, commission, swap } = trade
    const affiliateId = broughtTrades(book, [trade])(trade)
    const chain = affiliateId === null ? [] : findChain(book, affiliateId, closedAt, traderId)
    const found = buildTradeLines(trade, chain, rates.at(closedAt), tell)
    const amount = (minor: bigint | null) => (minor === null || currency === null ? '–' : formatAmount(minor, currency))
    const inputs = { symbol, lots: formatLots(lots), currency: currency ?? '–', spread: amount(spread) }
    return {
      wanted: typeof found === 'string' ? [] : found,
      inputs: { ...inputs, commission: amount(commission), swap: amount(swap), closedAt: toIso(closedAt) },
    }
  }
  if (kind === 'cpa') {
    const brought = book.broughtBy([id])
    const list = listCreditedDeposits(db, [id], line.createdAt)
    const acquired = findAcquisition(db, book, rates, list, (at) => brought(id, at))
    const affiliateId = acquired ? brought(id, acquired.settledAt) : null
    if (!acquired || affiliateId === null) return { wanted: [], inputs: {} }
    const chain = findChain(book, affiliateId, acquired.settledAt, id)
    const { amount, currency, settledAt } = acquired
    return {
      wanted: buildDepositLines(
        acquired,
        chain,
        rates.at(settledAt),
        ruleMet(acquired, rates),
        readMaxAcquisition(db),
        tell,
      ),
      inputs: { deposit: formatAmount(amount, currency), currency, settledAt: toIso(settledAt) },
    }
  }
  const months = createMonths({ db, book, rates, timeZone }, { only: id })
  return { wanted: months.wanted(id, month, tell), inputs: { month } }
}

/** The steps that an introducing broker may read about a source whose client they brought themselves. */
const OPEN_STEPS: readonly SentenceKey[] = [
  ...(['lot', 'spread', 'commission', 'revenue'] as const).map((model) => `affiliates.step.base.${model}` as const),
  'affiliates.step.no_spread',
]
const LEVEL_STEPS: readonly SentenceKey[] = ['affiliates.step.level', 'affiliates.step.no_earner']

/** Returns the steps of a line that its own affiliate may read, without those about other levels. */
const ownSteps = (steps: readonly Step[], level: number): Step[] =>
  steps.filter(({ key, values }) =>
    LEVEL_STEPS.includes(key) ? values.level === level : level === 1 && OPEN_STEPS.includes(key),
  )

const MANY_TRADES = statement(sql`SELECT 1 AS n FROM ${positions} WHERE ${positions.tenantId} = ?1 LIMIT 1 OFFSET 2000`)
const MANY_BROKERS = statement(
  sql`SELECT 1 AS n FROM ${affiliates} WHERE ${affiliates.tenantId} = ?1 LIMIT 1 OFFSET 1000`,
)

/**
 * Explains a line step by step, and says whether its source still gives the booked amount. An introducing broker reads
 * only about their own part: nothing if the source gives them nothing now, and for clients of lower levels only their
 * own step. In a large firm a child does it, since it reads all trades of a month or of a client.
 */
export async function explainLine(ctx: Ctx, id: string): Promise<Static<typeof ExplainOut>> {
  const { source } = ctx.db.get(lines, id)
  const params = { id, masked: isMasked(ctx) }
  const db = ctx.unowned
  const needs = source.startsWith('trade:') ? [MANY_BROKERS] : [MANY_BROKERS, MANY_TRADES]
  if (needs.every((many) => db.query(many).length === 0)) return explained(db, params)
  return readApart(ctx, 'commissions.explain', params, ExplainOut)
}

export const ExplainParams = Type.Object({ id: Type.String(), masked: Type.Boolean() })
/** Returns the answer of `explainLine`; `masked` for an introducing broker. */
export function explained(db: Reader, { id, masked }: Static<typeof ExplainParams>): Static<typeof ExplainOut> {
  const line = db.get(lines, id)
  const { timeZone } = readFirmSettings(db)
  const taken: Step[] = []
  let found: Recomputed = { wanted: [], inputs: {} }
  try {
    found = recompute(db, line, timeZone, (step) => taken.push(step))
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    taken.push({ key: 'affiliates.step.no_rate', values: { currency: error.currency } })
  }
  const same = found.wanted.find(
    ({ affiliateId, level, model }) => affiliateId === line.affiliateId && level === line.level && model === line.model,
  )
  const steps = masked ? (same ? ownSteps(taken, line.level) : []) : taken
  const { deposit: _, ...open } = found.inputs
  const net = sumNet(db, line)
  const version = db.get(commissionPlanVersions, line.planVersionId)
  const { sourceId } = toLine(line, masked)
  return {
    source: { type: line.sourceType, id: sourceId, occurredAt: toIso(line.occurredAt) },
    planVersion: { planId: version.planId, number: version.number, validFrom: toIso(version.validFrom) },
    inputs: !masked ? found.inputs : same && line.level === 1 ? open : {},
    steps: [
      ...steps.map(({ key, values }) => say(key, values)),
      ...(line.contra ? [say('affiliates.step.contra')] : []),
    ],
    rate: line.detail.rate,
    result: formatAmount(line.amount, line.currency),
    recomputed: same ? formatAmount(same.amount, same.currency) : null,
    equal: (same?.amount ?? 0n) === net,
  }
}
