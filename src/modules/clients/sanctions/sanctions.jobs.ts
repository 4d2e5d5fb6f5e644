import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE, SECOND } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { queueMail } from '../../base/mails/mails.service.ts'
import { users } from '../../firm/users/users.table.ts'
import { listStates } from './sanctions.states.ts'
import {
  sanctionsDue as due,
  sanctionsEntries as entries,
  type ListRow,
  sanctionsLists as lists,
  sanctionsLists,
} from './sanctions.table.ts'
import { screen } from './screening.ts'

const NAME = 'sanctions.screen'
const BATCH = 500
/**
 * The screening of a list fails for good after this many attempts or this time, since it holds back the whole firm's
 * money. RULES “Sanctions”.
 */
const TRIES = 3
const LONGEST = 30 * MINUTE

const batch = sql.raw(String(BATCH))

const TENANTS = statement(sql`SELECT DISTINCT ${lists.tenantId} AS tenantId FROM ${lists}`)
const BEGIN = statement(
  sql`UPDATE ${lists}
  SET ${bare(lists.attempts)} = ${lists.attempts} + 1, ${bare(lists.beganAt)} = coalesce(${lists.beganAt}, ?3)
  WHERE ${lists.tenantId} = ?1 AND ${lists.id} = ?2`,
)
const NOT_COUNTED = statement(
  sql`UPDATE ${lists} SET ${bare(lists.attempts)} = ${lists.attempts} - 1,
    ${bare(lists.beganAt)} = CASE WHEN ${lists.attempts} > 1 THEN ${lists.beganAt} END
  WHERE ${lists.tenantId} = ?1 AND ${lists.id} = ?2`,
)
const DUE = statement(
  sql`SELECT ${listed({ traderId: due.traderId, mark: due.mark })} FROM ${due}
  WHERE ${due.tenantId} = ? ORDER BY ${due.traderId} LIMIT ${batch}`,
)
const DONE = statement(
  sql`DELETE FROM ${due} WHERE ${due.tenantId} = ?1 AND (${due.traderId}, ${due.mark}) IN
  (SELECT value ->> 'traderId', value ->> 'mark' FROM json_each(?2))`,
)
// entries of lists that are not current and cannot become so: no screening could fail and restore them
const next = alias(lists, 'next')
const USELESS = statement(
  sql`SELECT ${listed({ id: lists.id })} FROM ${lists} WHERE ${lists.tenantId} = ? AND ${lists.current} = 0
  AND EXISTS (SELECT 1 FROM ${entries} WHERE ${entries.tenantId} = ${lists.tenantId} AND ${entries.listId} = ${lists.id})
  AND NOT EXISTS (SELECT 1 FROM ${lists} ${next} WHERE ${next.tenantId} = ${lists.tenantId}
    AND ${next.status} = 'screening' AND ${next.replaces} = ${lists.id})`,
)
const ofList = sql`${entries.tenantId} = ?1 AND ${entries.listId} = ?2`
const FORGET = statement(
  sql`DELETE FROM ${entries} WHERE ${ofList} AND ${entries.reference} IN
  (SELECT ${entries.reference} FROM ${entries} WHERE ${ofList} LIMIT ${batch})`,
)

type Tally = { screened: number; found: number; failures: unknown[] }

/** Why the screening of a list failed for good: it takes too long, or fails again and again. */
type Failure = 'slow' | 'failed'

/**
 * Withdraws a list: the former one is current again, owners are mailed, and a task stays open until a later load
 * succeeds.
 */
function fail({ platform }: JobRun, { tenantId, id }: ListRow, failure: Failure): Promise<null> {
  const ctx = systemCtx(platform, tenantId, NAME)
  return ctx.write('sanctions.fail', (tx) => {
    const list = tx.get(sanctionsLists, id)
    if (list.status !== 'screening') return null
    tx.transition(sanctionsLists, id, listStates, 'failed', {
      current: false,
      failure: say(`sanctions.failure.${failure}`),
    })
    if (list.replaces !== null)
      tx.transition(
        sanctionsLists,
        list.replaces,
        listStates,
        'screened',
        { current: true },
        { action: 'sanctions.restore' },
      )
    const isRestored = String(list.replaces !== null)
    for (const user of tx.list(users, { status: 'active' })) {
      if (!user.roles.includes('owner')) continue
      queueMail(tx, ctx, {
        to: user.email,
        language: pickLanguage(user.locale),
        letter: () => ({
          subject: say('sanctions.mail.screening_failed.subject', {
            source: list.source,
            listVersion: list.listVersion,
          }),
          text: say('sanctions.mail.screening_failed.text', {
            failure,
            isRestored,
            publicUrl: platform.config.publicUrl,
          }),
        }),
        recipientRole: null,
        link: null,
        expiresAt: tx.now + 7 * DAY,
      })
    }
    return null
  })
}

/** Returns why a screening failed for good after this many attempts, the first at `began`; null if it did not yet. */
function findFailure(attempts: number, began: number, now: number): Failure | null {
  if (now - began >= LONGEST) return 'slow'
  return attempts >= TRIES ? 'failed' : null
}

/** Compares every client with a new list. Returns whether that is decided: it succeeded, or failed for good. */
async function screenList(run: JobRun, list: ListRow, tally: Tally): Promise<boolean> {
  const { platform, signal } = run
  const { writer, connection, clock } = platform
  const { tenantId, id, attempts } = list
  const ctx = systemCtx(platform, tenantId, NAME)
  const began = list.beganAt ?? clock.now()
  // this also counts an attempt that ended because the whole program crashed
  const before = findFailure(attempts, began, clock.now())
  if (before !== null) {
    await fail(run, list, before)
    return true
  }
  await writer.submit(() => void connection.run(BEGIN, [tenantId, id, began]))
  try {
    const deadlineMs = LONGEST - (clock.now() - began)
    const done = await screen(ctx, { traderIds: null, listIds: [id] }, { deadlineMs, signal })
    tally.screened += done.screened
    tally.found += done.found
  } catch (error) {
    if (signal.aborted) {
      await writer.submit(() => void connection.run(NOT_COUNTED, [tenantId, id]))
      return false
    }
    tally.failures.push(error)
    platform.log.error({ err: error, list: id }, 'the screening of a list failed')
    const after = findFailure(attempts + 1, began, clock.now())
    if (after !== null) await fail(run, list, after)
    return after !== null
  }
  await ctx.write('sanctions.screened', (tx) => {
    // another list may have replaced this one meanwhile
    if (tx.get(sanctionsLists, id).status === 'screening')
      tx.transition(sanctionsLists, id, listStates, 'screened', { screenedAt: tx.now })
    return null
  })
  return true
}

/** Compares new and changed clients with every current list, until none is left. */
async function screenDue({ platform, signal }: JobRun, tenantId: string, tally: Tally): Promise<void> {
  const { reader, writer, connection } = platform
  const ctx = systemCtx(platform, tenantId, NAME)
  while (!signal.aborted) {
    const due = reader.all<{ traderId: string; mark: number }>(DUE, [tenantId])
    if (due.length === 0) return
    const traderIds = due.map(({ traderId }) => traderId)
    const done = await screen(ctx, { traderIds, listIds: null }, { deadlineMs: 15 * MINUTE, signal })
    // a client who changed meanwhile has a higher mark and remains to be screened
    await writer.submit(() => void connection.run(DONE, [tenantId, JSON.stringify(due)]))
    tally.screened += done.screened
    tally.found += done.found
  }
}

/**
 * Does a firm's work: new lists first, since they hold back all clients, then single clients, then the removal of
 * unused entries.
 */
async function screenFirm(run: JobRun, tenantId: string, tally: Tally): Promise<void> {
  const { platform, signal } = run
  const { db } = systemCtx(platform, tenantId, NAME)
  let decided = true
  for (const list of db.list(sanctionsLists, { status: 'screening' })) {
    if (signal.aborted) return
    decided = (await screenList(run, list, tally)) && decided
  }
  // all money waits anyway, and if the new list fails, the clients would have to be compared with the former one again
  if (decided && db.count(sanctionsLists, { status: 'screened' }) > 0) await screenDue(run, tenantId, tally)
  for (const { id } of platform.reader.all<{ id: string }>(USELESS, [tenantId]))
    while (
      !signal.aborted &&
      (await platform.writer.submit(() => platform.connection.run(FORGET, [tenantId, id]))) > 0
    );
}

/** Screens every client for a new list, and each client who was created or changed since. RULES “Sanctions”. */
export const screenTraders = defineJob({
  name: NAME,
  // loading a list fires no event to wake the job, and money waits for the screening
  every: 3 * SECOND,
  onEvents: true,
  run: async (run) => {
    const tally: Tally = { screened: 0, found: 0, failures: [] }
    for (const { tenantId } of run.platform.reader.all<{ tenantId: string }>(TENANTS)) {
      if (run.signal.aborted) break
      try {
        await screenFirm(run, tenantId, tally)
      } catch (error) {
        // the screening of the other firms goes on
        if (!run.signal.aborted) tally.failures.push(error)
      }
    }
    if (tally.failures.length > 0) throw tally.failures[0]
    return tally.screened === 0 ? null : say('jobs.clients_screened', { screened: tally.screened, found: tally.found })
  },
})
