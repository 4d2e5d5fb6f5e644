import type { Ctx } from '../../../platform/access/ctx.ts'
import { MINUTE, SECOND, toIso } from '../../../platform/clock.ts'
import { say } from '../../../words/say.ts'
import { noteAnswer, noteFault } from './ads.back-off.ts'
import { createGraph, type Fault, type Graph } from './ads.graph.ts'
import type { AdCheck, AdTest } from './ads.model.ts'
import { openCredentials } from './ads.service.ts'
import { adConnectionStates } from './ads.states.ts'
import { type AdConnectionRow, adBackfills, adConnections, OPEN_BACKFILL } from './ads.table.ts'

/** How many questions are asked at once, and the time for one and for all, since a person waits for the answer. */
const AT_ONCE = 10
const ONE_MS = 10 * SECOND
const ALL_MS = 40 * SECOND

type Question = { what: AdCheck['what']; id: string | null; path: string; fields: string }
type Outcome = { check: AdCheck; fault: Fault | null }

/** Returns the questions of a test: the token's identity, the ad account, and each page. */
function listQuestions({ adAccountId, pageIds }: AdConnectionRow): Question[] {
  const account = adAccountId === null ? [] : [adAccountId]
  return [
    { what: 'identity', id: null, path: 'me', fields: 'id,name' },
    ...account.map(
      (id): Question => ({ what: 'ad_account', id, path: `act_${id.replace(/^act_/, '')}`, fields: 'id,name' }),
    ),
    ...pageIds.map((id): Question => ({ what: 'page', id, path: id, fields: 'id,name' })),
  ]
}

async function ask(graph: Graph, { what, id, path, fields }: Question): Promise<Outcome> {
  const answer = await graph.get([path], { fields })
  if (!answer.ok) {
    const { fault } = answer
    return { check: { what, id, ok: false, name: null, message: fault.message }, fault }
  }
  const { id: found, name } = answer.value
  const text = typeof name === 'string' && name !== '' ? name.slice(0, 200).toWellFormed() : null
  return {
    check: {
      what,
      id: id ?? (typeof found === 'string' ? found.slice(0, 64) : null),
      ok: true,
      name: text,
      message: null,
    },
    fault: null,
  }
}

/** Asks all questions, a few at a time; a question for which no time is left fails with that reason. */
async function askAll(ctx: Ctx, connection: AdConnectionRow): Promise<Outcome[]> {
  const end = AbortSignal.timeout(ALL_MS)
  const graph = createGraph(ctx, openCredentials(ctx, connection), { totalTimeoutMs: ONE_MS, signal: end })
  const questions = listQuestions(connection)
  const outcomes: Outcome[] = []
  for (let at = 0; at < questions.length; at += AT_ONCE)
    outcomes.push(...(await Promise.all(questions.slice(at, at + AT_ONCE).map((one) => ask(graph, one)))))
  return outcomes
}

/** Returns the error text of a connection: the first question that failed, and why. */
function formatError({ what, id, message }: AdCheck): string {
  const values = { id: id ?? '', message: message ?? '' }
  if (what === 'identity') return say('ads.error.identity', values)
  return what === 'page' ? say('ads.error.page', values) : say('ads.error.ad_account', values)
}

/**
 * Tests a connection: asks the platform for the token's identity, the ad account and each page. The answers set
 * `status` and `lastError`: a success ends an error and waiting work continues, a wait that the platform asks for is no
 * error, and a disabled connection stays disabled.
 */
export async function testConnection(ctx: Ctx, id: string): Promise<AdTest> {
  const connection = ctx.db.get(adConnections, id)
  const outcomes = await askAll(ctx, connection)
  const checks = outcomes.map(({ check }) => check)
  const throttled = outcomes.find(({ fault }) => fault?.kind === 'throttled')?.fault
  const bad = outcomes.find(({ fault }) => fault !== null && fault.kind !== 'throttled')
  return ctx.write('ads.test', (tx) => {
    const before = tx.get(adConnections, id)
    const facts = { testedAt: tx.now, lastError: bad ? formatError(bad.check) : (throttled?.message ?? null) }
    const to = bad ? 'error' : throttled ? before.status : 'active'
    const row =
      before.status === 'disabled' || to === before.status
        ? tx.update(adConnections, id, facts)
        : tx.transition(adConnections, id, adConnectionStates, to, facts)
    if (throttled) noteFault(tx, connection, throttled)
    else if (!bad) {
      noteAnswer(tx, id)
      // waiting backfills are tried at once
      for (const waiting of tx.list(adBackfills, { connectionId: id, status: OPEN_BACKFILL }))
        if (waiting.nextAttemptAt > tx.now + MINUTE) tx.update(adBackfills, waiting.id, { nextAttemptAt: tx.now })
    }
    const { status, lastError, testedAt, version } = row
    return { id, status, lastError, testedAt: testedAt === null ? null : toIso(testedAt), checks, version }
  })
}
