import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { getTableMeta } from '../../../platform/db/tenant-table.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Problem } from '../../../platform/problem.ts'
import { captureLead } from '../leads/leads.service.ts'
import { backOff, MOST_TRIES, noteAnswer, noteFault, noteLead, noteLost, REFUSED_TRIES } from './ads.back-off.ts'
import { continueBackfill } from './ads.backfill.ts'
import { LEAD_FIELDS, toLeadInput } from './ads.fields.ts'
import { type Bag, createGraph, type Fault, type Graph } from './ads.graph.ts'
import { openCredentials } from './ads.service.ts'
import {
  type AdConnectionRow,
  type AdNotificationRow,
  adBackfills,
  adConnections,
  adNotifications,
  OPEN_BACKFILL,
} from './ads.table.ts'

/** A connection fetches this many leads, or for this long, before it is the next one's turn. */
const AT_ONCE = 20
const TURN_MS = 5 * SECOND

const DUE = statement(
  sql`SELECT ${sql.raw(getTableMeta(adNotifications).selection)} FROM ${adNotifications}
  WHERE ${adNotifications.tenantId} = ?1 AND ${adNotifications.connectionId} = ?2
    AND ${adNotifications.status} = 'pending' AND ${adNotifications.nextAttemptAt} <= ?3
  ORDER BY ${adNotifications.nextAttemptAt} LIMIT ?4`,
)

/**
 * Does a part of one connection's waiting work: leads of notifications, then one page of a backfill. Returns how much
 * was done. A call that is cut off by the end of the program leaves no note.
 */
export async function stepConnection(ctx: Ctx, id: string, signal: AbortSignal): Promise<number> {
  const connection = ctx.db.find(adConnections, { id, status: 'active' })
  if (!connection || connection.waitUntil > ctx.now()) return 0
  const graph = createGraph(ctx, openCredentials(ctx, connection), { signal })
  const due = ctx.db.query<AdNotificationRow>(DUE, [id, ctx.now(), AT_ONCE])
  const end = performance.now() + TURN_MS
  let done = 0
  for (const notification of due) {
    const goesOn = await fetchLead(ctx, graph, connection, notification, signal)
    done += 1
    if (!goesOn || signal.aborted || performance.now() > end) return done
  }
  const [backfill] = ctx.db
    .list(adBackfills, { connectionId: id, status: OPEN_BACKFILL }, { orderBy: 'nextAttemptAt' })
    .filter(({ nextAttemptAt }) => nextAttemptAt <= ctx.now())
  if (!backfill) return done
  await continueBackfill(ctx, graph, connection, backfill, signal)
  return done + 1
}

/** Fetches one lead of a notification. Returns false if the connection must not be asked again for now. */
async function fetchLead(
  ctx: Ctx,
  graph: Graph,
  connection: AdConnectionRow,
  notification: AdNotificationRow,
  signal: AbortSignal,
): Promise<boolean> {
  const answer = await graph.get([notification.leadGenId], { fields: LEAD_FIELDS })
  if (signal.aborted) return false
  return ctx.write('ads.lead', (tx) => {
    // the connection may have been removed meanwhile, together with its notifications
    if (tx.find(adNotifications, { id: notification.id })?.status !== 'pending') return true
    if (!answer.ok) return noteFailure(tx, connection, notification, answer.fault)
    noteAnswer(tx, connection.id)
    if (keepLead(tx, ctx, notification, answer.value)) noteLead(tx, connection.id)
    return true
  })
}

function noteFailure(tx: Tx, connection: AdConnectionRow, told: AdNotificationRow, fault: Fault): boolean {
  const { id, attempts, leadGenId } = told
  const again = noteFault(tx, connection, fault)
  if (again !== null) {
    // the whole connection must wait, so this does not count as an attempt for this lead
    tx.update(adNotifications, id, { lastError: fault.message, nextAttemptAt: again })
    return false
  }
  const tries = attempts + 1
  const over = tries >= (fault.kind === 'later' ? MOST_TRIES : REFUSED_TRIES)
  tx.update(adNotifications, id, {
    attempts: tries,
    lastError: fault.message,
    nextAttemptAt: tx.now + backOff(attempts),
    ...(over ? { status: 'failed', finishedAt: tx.now } : {}),
  })
  if (over) noteLost(tx, connection.id, leadGenId, fault.message)
  return true
}

/** Makes a lead of the platform's answer. If that is invalid, stores why it failed for good and returns false. */
function keepLead(tx: Tx, ctx: Ctx, { id, connectionId, leadGenId }: AdNotificationRow, value: Bag): boolean {
  try {
    const { row } = captureLead(tx, ctx, { ...toLeadInput(value), leadGenId })
    tx.update(adNotifications, id, { status: 'done', leadId: row.id, lastError: null, finishedAt: tx.now })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    tx.update(adNotifications, id, { status: 'failed', lastError: error.message, finishedAt: tx.now })
    noteLost(tx, connectionId, leadGenId, error.message)
    return false
  }
}
