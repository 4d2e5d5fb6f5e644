import { sql } from 'drizzle-orm'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { MailError, type MailTransport } from '../../../platform/mail.ts'
import type { MailRelay } from '../../../platform/mail-relay.ts'
import type { Platform } from '../../../platform/platform.ts'
import { say } from '../../../words/say.ts'
import { openMail } from './mails.service.ts'
import { mails } from './mails.table.ts'

/** The waits after the first, second, … attempt of a mail with a temporary failure; the last one repeats. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR] as const
/** A mail is tried for this long and at least this often, since “send again” may come late in that time. */
const LASTS = 72 * HOUR
const LEAST_ATTEMPTS = 6
/** A lease is longer than any sending, so the process that claimed the mail is gone when it ends. */
const LEASE = 3 * MINUTE
const BATCH = 5

type Claimed = {
  tenantId: string
  id: string
  recipient: string
  subject: string
  body: Uint8Array
  attempts: number
  createdAt: number
}

const due = sql`FROM ${mails} WHERE ${mails.status} = 'queued' AND ${mails.nextAttemptAt} <= ?1
  AND ${mails.leaseUntil} <= ?1 AND ${mails.expiresAt} > ?1`
const DUE = statement(sql`SELECT 1 ${due} LIMIT 1`)
const CLAIM = statement(
  sql`UPDATE ${mails} SET ${bare(mails.leaseUntil)} = ?2, ${bare(mails.attempts)} = ${mails.attempts} + 1
  WHERE (${mails.tenantId}, ${mails.id}) IN (SELECT ${mails.tenantId}, ${mails.id} ${due}
    ORDER BY ${mails.nextAttemptAt} LIMIT ?3)
  RETURNING ${listed({
    tenantId: mails.tenantId,
    id: mails.id,
    recipient: mails.recipient,
    subject: mails.subject,
    body: mails.body,
    attempts: mails.attempts,
    createdAt: mails.createdAt,
  })}`,
)
// only the attempt that holds the lease may store the outcome
const FINISH = statement(
  sql`UPDATE ${mails} SET ${bare(mails.status)} = ?4, ${bare(mails.nextAttemptAt)} = ?5,
    ${bare(mails.lastError)} = ?6, ${bare(mails.leaseUntil)} = 0
  WHERE ${mails.tenantId} = ?1 AND ${mails.id} = ?2 AND ${mails.attempts} = ?3 AND ${mails.status} = 'queued'`,
)

// after a start the relay may have another address or password
const WAKE = statement(
  sql`UPDATE ${mails} SET ${bare(mails.nextAttemptAt)} = ?1 WHERE ${mails.status} = 'queued'
    AND ${mails.nextAttemptAt} > ?1`,
)

/** Claims mails that are due: no other process sends them until the lease ends. */
export function claimMails(platform: Platform, most = BATCH): Promise<Claimed[]> {
  const now = platform.clock.now()
  if (!platform.reader.get(DUE, [now])) return Promise.resolve([])
  return platform.writer.submit(() => platform.connection.all<Claimed>(CLAIM, [now, now + LEASE, most]))
}

type Outcome = { status: 'sent' | 'queued' | 'failed'; nextAttemptAt: number | null; problem: string | null }

/** Returns the outcome of a mail that was not accepted, and reports the relay's state. */
function readFailure(platform: Platform, relay: MailRelay, mail: Claimed, error: unknown): Outcome {
  const now = platform.clock.now()
  const problem = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  const fault = error instanceof MailError ? error.fault : 'recipient'
  const said = error instanceof Error && error.cause instanceof Error ? error.cause.message : problem
  const relayAt =
    fault === 'relay' ? relay.noteFault(said.replace(/\.$/, '').slice(0, 300), now) : relay.noteAnswer(now)
  if (fault === 'recipient' || (now - mail.createdAt >= LASTS && mail.attempts >= LEAST_ATTEMPTS)) {
    platform.log.warn({ mail: mail.id, firm: mail.tenantId, problem }, 'a mail was not taken and is not sent again')
    return { status: 'failed', nextAttemptAt: null, problem }
  }
  const wait = BACK_OFF[mail.attempts - 1] ?? BACK_OFF[BACK_OFF.length - 1] ?? HOUR
  return { status: 'queued', nextAttemptAt: relayAt ?? now + wait, problem }
}

/** Sends one claimed mail and stores the outcome; returns whether it was sent. */
async function deliver(platform: Platform, relay: MailRelay, transport: MailTransport, mail: Claimed) {
  const { tenantId, id, attempts } = mail
  let outcome: Outcome = { status: 'sent', nextAttemptAt: null, problem: null }
  try {
    const text = openMail(platform.secrets.forFirm(tenantId), mail)
    await transport.send({ to: mail.recipient, subject: mail.subject, text })
    relay.noteAnswer(platform.clock.now())
  } catch (error) {
    outcome = readFailure(platform, relay, mail, error)
  }
  const { status, nextAttemptAt, problem } = outcome
  await platform.writer.submit(() =>
    platform.connection.run(FINISH, [tenantId, id, attempts, status, nextAttemptAt, problem]),
  )
  return status === 'sent'
}

const hasWoken = new WeakSet<Platform>()

/**
 * Sends queued mails by SMTP, each at least once: after a crash it is sent again when its lease ends. While the relay
 * takes no mail, single attempts find out when it works again. RULES “Mail”, src/README “Jobs”.
 */
export const sendMails = defineJob({
  name: 'mails.send',
  every: 2 * SECOND,
  run: async ({ platform, signal }) => {
    const { mailRelay: relay, clock, writer, connection } = platform
    const { transport } = relay
    if (transport === null) return null
    if (!hasWoken.has(platform)) await writer.submit(() => connection.run(WAKE, [clock.now()]))
    hasWoken.add(platform)
    let sent = 0
    let failed = 0
    while (!signal.aborted) {
      const fault = relay.fault()
      if (fault !== null && fault.nextTryAt > clock.now()) break
      const claimed = await claimMails(platform, fault === null ? BATCH : 1)
      if (claimed.length === 0) break
      const outcomes = await Promise.all(claimed.map((mail) => deliver(platform, relay, transport, mail)))
      sent += outcomes.filter(Boolean).length
      failed += outcomes.filter((isSent) => !isSent).length
    }
    return sent + failed === 0 ? null : say('jobs.mails_sent', { sent, failed })
  },
})

const PURGE = statement(
  sql`DELETE FROM ${mails} WHERE (${mails.tenantId}, ${mails.id}) IN
  (SELECT ${mails.tenantId}, ${mails.id} FROM ${mails} WHERE ${mails.expiresAt} <= ? LIMIT ?)`,
)

/** Removes mails whose links have expired. */
export const purgeMails = defineJob({
  name: 'mails.purge',
  every: 10 * MINUTE,
  run: async (run) => {
    const removed = await removeInBatches(run, PURGE, [run.platform.clock.now()])
    return removed === 0 ? null : say('jobs.mails_removed', { removed })
  },
})
