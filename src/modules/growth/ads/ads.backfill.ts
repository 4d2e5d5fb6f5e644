import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { captureLead } from '../leads/leads.service.ts'
import { backOff, MOST_TRIES, noteAnswer, noteFault, noteLead } from './ads.back-off.ts'
import { LEAD_FIELDS, toLeadInput } from './ads.fields.ts'
import { type Bag, type Fault, type Graph, type GraphAnswer, isBag } from './ads.graph.ts'
import { adBackfillStates } from './ads.states.ts'
import { type AdBackfillRow, type AdConnectionRow, adBackfills } from './ads.table.ts'

/** The numbers of leads to ask for in a page; the next one is used if an answer was too large. */
const PAGE_SIZES = [100, 20, 2]
const LONGEST_CURSOR = 1000

// progress is not audited, since every lead is
const PROGRESS = statement(
  sql`UPDATE ${adBackfills} SET ${bare(adBackfills.cursor)} = ?3,
    ${bare(adBackfills.fetched)} = ${adBackfills.fetched} + ?4,
    ${bare(adBackfills.created)} = ${adBackfills.created} + ?5,
    ${bare(adBackfills.duplicates)} = ${adBackfills.duplicates} + ?6,
    ${bare(adBackfills.failed)} = ${adBackfills.failed} + ?7,
    ${bare(adBackfills.lastError)} = coalesce(?8, CASE WHEN ${adBackfills.failed} > 0 THEN ${adBackfills.lastError} END),
    ${bare(adBackfills.status)} = 'running', ${bare(adBackfills.attempts)} = 0,
    ${bare(adBackfills.nextAttemptAt)} = ?9
  WHERE ${adBackfills.tenantId} = ?1 AND ${adBackfills.id} = ?2`,
)
const WAITING = statement(
  sql`UPDATE ${adBackfills} SET ${bare(adBackfills.status)} = 'waiting', ${bare(adBackfills.lastError)} = ?3,
    ${bare(adBackfills.attempts)} = ?4, ${bare(adBackfills.nextAttemptAt)} = ?5
  WHERE ${adBackfills.tenantId} = ?1 AND ${adBackfills.id} = ?2`,
)

/** Parses a time of the platform, such as `2026-01-15T12:00:00+0000`; NaN for any other form. */
const parseGraphTime = (value: unknown): number =>
  typeof value === 'string' ? Date.parse(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')) : Number.NaN

type Found = { leads: unknown[]; next: string | null }

/** Fetches one page of a form's leads since the backfill's day, from its cursor on. */
async function readPage(graph: Graph, { formId, since, cursor }: AdBackfillRow): Promise<GraphAnswer> {
  const created = { field: 'time_created', operator: 'GREATER_THAN', value: Math.floor(since / SECOND) - 1 }
  const query = { fields: LEAD_FIELDS, filtering: JSON.stringify([created]) }
  let answer: GraphAnswer | undefined
  for (const size of PAGE_SIZES) {
    const after = cursor === null ? {} : { after: cursor }
    answer = await graph.get([formId, 'leads'], { ...query, limit: String(size), ...after })
    if (answer.ok || answer.fault.kind !== 'too_large') return answer
  }
  return answer ?? { ok: false, fault: { kind: 'refused', message: say('ads.fault.too_large'), waitMs: 0 } }
}

/** Returns the leads of an answer and the cursor of the next page; the page's address beside it is ignored. */
function foundIn({ data, paging }: Bag, before: string | null): Found {
  const leads = Array.isArray(data) ? data : []
  const { cursors, next } = isBag(paging) ? paging : {}
  const after = isBag(cursors) ? cursors.after : undefined
  const goesOn = next !== undefined && leads.length > 0 && typeof after === 'string' && after !== '' && after !== before
  return { leads, next: goesOn && after.length <= LONGEST_CURSOR ? after : null }
}

type Tally = { fetched: number; created: number; duplicates: number; failed: number; lastError: string | null }

/** Makes a lead, or counts it as known or failed, so that an invalid lead does not stop a backfill. */
function keepOne(tx: Tx, ctx: Ctx, since: number, lead: unknown, tally: Tally): void {
  // the platform may ignore the filter and send older leads too
  if (isBag(lead) && parseGraphTime(lead.created_time) < since) return
  tally.fetched += 1
  const input = isBag(lead) ? toLeadInput(lead) : undefined
  const name = input?.leadGenId || '?'
  try {
    if (!input || input.leadGenId === '') throw new Problem(422, 'validation', say('ads.lead.unreadable'))
    const { twinBy } = captureLead(tx, ctx, input)
    if (twinBy === null) tally.created += 1
    else tally.duplicates += 1
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    tally.failed += 1
    tally.lastError = say('ads.lead.not_taken', { lead: name, message: error.message })
  }
}

/**
 * Fetches one page of a backfill and takes its leads, in one commit with the counts and the next cursor, so that after
 * a kill no lead is missed or counted twice.
 */
export async function continueBackfill(
  ctx: Ctx,
  graph: Graph,
  connection: AdConnectionRow,
  backfill: AdBackfillRow,
  signal: AbortSignal,
): Promise<void> {
  const { id, cursor, since } = backfill
  const answer = await readPage(graph, backfill)
  if (signal.aborted) return
  if (!answer.ok) {
    await ctx.write('ads.backfill', (tx) => noteFailure(tx, connection, backfill, answer.fault))
    return
  }
  const { leads, next } = foundIn(answer.value, cursor)
  // each lead is a step, so that other requests run in between
  await ctx.writeSteps('ads.lead', function* (tx) {
    const now = tx.find(adBackfills, { id })
    if (!now || now.cursor !== cursor || (now.status !== 'running' && now.status !== 'waiting')) return
    noteAnswer(tx, connection.id)
    const tally: Tally = { fetched: 0, created: 0, duplicates: 0, failed: 0, lastError: null }
    for (const lead of leads) {
      keepOne(tx, ctx, since, lead, tally)
      yield
    }
    const { fetched, created, duplicates, failed, lastError } = tally
    if (created > 0) noteLead(tx, connection.id)
    tx.execute(PROGRESS, [id, next, fetched, created, duplicates, failed, lastError, tx.now])
    if (next === null)
      tx.transition(adBackfills, id, adBackfillStates, 'done', { finishedAt: tx.now }, { action: 'ads.backfill_done' })
  })
}

function noteFailure(tx: Tx, connection: AdConnectionRow, { id }: AdBackfillRow, fault: Fault): null {
  const now = tx.find(adBackfills, { id })
  if (!now || (now.status !== 'running' && now.status !== 'waiting')) return null
  const again = noteFault(tx, connection, fault)
  const attempts = now.attempts + (again === null ? 1 : 0)
  if (again === null && (fault.kind !== 'later' || attempts >= MOST_TRIES)) {
    const ended = { lastError: fault.message, finishedAt: tx.now }
    tx.transition(adBackfills, id, adBackfillStates, 'failed', ended, { action: 'ads.backfill_failed' })
    return null
  }
  tx.execute(WAITING, [id, fault.message, attempts, again ?? tx.now + backOff(now.attempts)])
  return null
}
