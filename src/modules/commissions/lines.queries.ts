import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { affiliateIdOf } from '../../platform/access/principal.ts'
import { DAY, toIso } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { type PageOf, parseTime, type Query, readPage } from '../../platform/http/page.ts'
import { invalid } from '../../platform/http/problem.ts'
import { formatAmount } from '../../platform/money.ts'
import { addDays, startOfDay } from '../../platform/zone.ts'
import { say } from '../../words/say.ts'
import { formatLots } from '../positions/lots.ts'
import { positions } from '../positions/positions.table.ts'
import { readApart } from '../reporting/reporting.service.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { acquisitionOf, broughtTrades, carriedInto, depositsOf, revenueOfMonth, ruleMet } from './batches.ts'
import { type LineRow, commissionLines as lines } from './commissions.table.ts'
import { bySymbol } from './commissions.tasks.ts'
import { MissingRate, type Step } from './compute.ts'
import { netOf } from './differences.ts'
import { ZERO } from './fraction.ts'
import { type BySymbolOut, ExplainOut, type LineOut, lineList, toLine } from './lines.model.ts'
import { commissionPlanVersions } from './plans.table.ts'
import { ratesOfDay, tradeOf, type Wanted, wantedOfDeposit, wantedOfMonth, wantedOfTrade } from './sources.ts'
import { termsOf } from './terms.ts'

/** Lines count once their run is closed. */
const COUNTED = `${' '}AND commission_lines.run_id IN (SELECT id FROM commission_runs
  WHERE commission_runs.tenant_id = commission_lines.tenant_id AND commission_runs.status = 'closed')`

const isMasked = ({ principal }: Ctx): boolean => principal.kind === 'trader'
const asksForOwn = (ctx: Ctx, self: string | undefined): boolean =>
  self === '1' && affiliateIdOf(ctx.principal) === null

/** Lines of closed runs: the firm's, or the caller's own. */
export function listLines(
  ctx: Ctx,
  { self, ...query }: Query & { self?: string | undefined },
): PageOf<Static<typeof LineOut>> {
  if (asksForOwn(ctx, self)) return { data: [], nextCursor: null }
  return readPage(ctx, lineList, query, (row) => toLine(row, isMasked(ctx)), {}, { sql: COUNTED, params: [] })
}

type SymbolQuery = { self?: string; affiliateId?: string; from?: string; to?: string }

/** Closed lines by symbol, of 90 days or the period asked for; an introducing broker's are their own. */
export async function linesBySymbol(ctx: Ctx, query: SymbolQuery): Promise<Static<typeof BySymbolOut>> {
  const given = query.from === undefined ? undefined : parseTime('from', query.from)
  const to = query.to === undefined ? Math.max(ctx.now(), (given ?? 0) + 1) : parseTime('to', query.to)
  const from = given ?? to - 90 * DAY
  if (from >= to) throw invalid('query.to', 'order', say('affiliates.field.to_after_from'))
  const own = affiliateIdOf(ctx.principal)
  const data =
    asksForOwn(ctx, query.self) || (own !== null && query.affiliateId !== undefined && query.affiliateId !== own)
      ? []
      : await bySymbol(ctx, { from, to, affiliateId: own ?? query.affiliateId ?? '' })
  return {
    from: toIso(from),
    to: toIso(to),
    data: data.map(({ symbol, currency, lots, amount, lines: count }) => ({
      ...{ symbol, currency, lines: count },
      lots: formatLots(BigInt(lots)),
      amount: formatAmount(BigInt(amount), currency),
    })),
  }
}

type Recomputed = { wanted: Wanted[]; inputs: Record<string, string> }

/** What the source of a line gives today. */
function recompute(db: Reader, line: LineRow, timeZone: string, tell: (step: Step) => void): Recomputed {
  const book = termsOf(db)
  const rates = ratesOfDay(db, timeZone)
  const never = () => false
  const [kind = '', id = '', month = ''] = line.source.split(':')
  if (kind === 'trade') {
    const trade = tradeOf(db, id)
    if (!trade) return { wanted: [], inputs: {} }
    const { closedAt, symbol, lots, currency, spread, commission, swap } = trade
    const affiliateId = broughtTrades(book, [trade])(trade)
    const chain = affiliateId === null ? [] : book.chainAt(affiliateId, closedAt, never)
    const found = wantedOfTrade(trade, chain, rates.at(closedAt), tell)
    const amount = (minor: bigint | null) => (minor === null || currency === null ? '–' : formatAmount(minor, currency))
    const inputs = { symbol, lots: formatLots(lots), currency: currency ?? '–', spread: amount(spread) }
    return {
      wanted: typeof found === 'string' ? [] : found,
      inputs: { ...inputs, commission: amount(commission), swap: amount(swap), closedAt: toIso(closedAt) },
    }
  }
  if (kind === 'cpa') {
    const brought = book.broughtBy([id])
    const list = depositsOf(db, [id], line.createdAt)
    const acquired = acquisitionOf(db, book, rates, list, (at) => brought(id, at))
    const affiliateId = acquired ? brought(id, acquired.settledAt) : null
    if (!acquired || affiliateId === null) return { wanted: [], inputs: {} }
    const chain = book.chainAt(affiliateId, acquired.settledAt, never)
    const { amount, currency, settledAt } = acquired
    return {
      wanted: wantedOfDeposit(acquired, chain, rates.at(settledAt), ruleMet(acquired, rates), tell),
      inputs: { deposit: formatAmount(amount, currency), currency, settledAt: toIso(settledAt) },
    }
  }
  const next = addDays(`${month}-01`, 31).slice(0, 7)
  const period = { from: startOfDay(`${month}-01`, timeZone), to: startOfDay(`${next}-01`, timeZone) }
  const chain = book.chainAt(id, period.to - 1, never)
  const currency = chain[0]?.terms?.currency ?? line.currency
  const sums = revenueOfMonth(db, book, rates, period, id, (_, run) => run())
  const revenue = sums.get(id) ?? ZERO
  const carried = carriedInto(db, id, month, currency)
  const endsAt = period.to - 1
  return {
    wanted: wantedOfMonth({ affiliateId: id, month, endsAt, revenue, carried }, chain, rates.at(endsAt), tell),
    inputs: { month },
  }
}

const LARGE = statement(sql`SELECT 1 AS n FROM ${positions} WHERE ${positions.tenantId} = ?1 LIMIT 1 OFFSET 2000`)

/**
 * How a line was made, step by step, and whether its source still gives what is booked. What takes all trades of a
 * month, or all of a client, is read apart unless the firm is small.
 */
export async function explainLine(ctx: Ctx, id: string): Promise<Static<typeof ExplainOut>> {
  const { source } = ctx.db.get(lines, id)
  const params = { id, masks: isMasked(ctx) }
  if (source.startsWith('trade:') || ctx.unowned.query(LARGE).length === 0) return explained(ctx.unowned, params)
  return readApart(ctx, 'commissions.explain', params, ExplainOut)
}

export const ExplainParams = Type.Object({ id: Type.String(), masks: Type.Boolean() })
/** What `explainLine` answers; or, to an introducing broker (`masks`), without what other levels earn. */
export function explained(db: Reader, { id, masks }: Static<typeof ExplainParams>): Static<typeof ExplainOut> {
  const line = db.get(lines, id)
  const { timeZone } = readFirmSettings(db)
  const steps: string[] = []
  const masked = masks && line.level > 1
  let found: Recomputed = { wanted: [], inputs: {} }
  try {
    found = recompute(db, line, timeZone, ({ word, values }) => steps.push(say(word, values)))
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    steps.push(say('affiliates.step.no_rate', { currency: error.currency }))
  }
  const same = found.wanted.find(
    ({ affiliateId, level, model }) => affiliateId === line.affiliateId && level === line.level && model === line.model,
  )
  const net = netOf(db, line)
  if (line.contra) steps.push(say('affiliates.step.contra'))
  const version = db.get(commissionPlanVersions, line.planVersionId)
  const { sourceId } = toLine(line, masks)
  return {
    source: { type: line.sourceType, id: sourceId, occurredAt: toIso(line.occurredAt) },
    planVersion: { planId: version.planId, number: version.number, validFrom: toIso(version.validFrom) },
    inputs: found.inputs,
    // the steps of a chain name what other levels get, which is theirs to know
    steps: masks ? steps.filter((_, index) => index === 0 || index === line.level) : steps,
    rate: line.detail.rate,
    result: formatAmount(line.amount, line.currency),
    recomputed:
      same && !masked
        ? formatAmount(same.amount, same.currency)
        : same
          ? formatAmount(same.amount, same.currency)
          : null,
    equal: (same?.amount ?? 0n) === net,
  }
}
