import { sql } from 'drizzle-orm'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { createMailTransport, MailError, type MailTransport } from '../../../platform/mail.ts'
import type { Platform } from '../../../platform/platform.ts'
import { say } from '../../../words/say.ts'
import { openMail } from './mails.service.ts'
import { mails } from './mails.table.ts'

/** The waits after the first, second … failed attempt; after the last of them the mail has failed. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR] as const
/** It is longer than sending can take, so when it ends, the process that claimed the mail is gone. */
const LEASE = 3 * MINUTE
const BATCH = 5

type Claimed = {
  tenantId: string
  id: string
  recipient: string
  subject: string
  body: Uint8Array
  attempts: number
}

const due = sql`FROM ${mails} WHERE ${mails.status} = 'queued' AND ${mails.nextAttemptAt} <= ?1
  AND ${mails.leaseUntil} <= ?1 AND ${mails.expiresAt} > ?1`
const DUE = statement(sql`SELECT 1 ${due} LIMIT 1`)
const CLAIM = statement(
  sql`UPDATE ${mails} SET ${bare(mails.leaseUntil)} = ?2, ${bare(mails.attempts)} = ${mails.attempts} + 1
  WHERE (${mails.tenantId}, ${mails.id}) IN (SELECT ${mails.tenantId}, ${mails.id} ${due}
    ORDER BY ${mails.nextAttemptAt} LIMIT ${sql.raw(String(BATCH))})
  RETURNING ${listed({
    tenantId: mails.tenantId,
    id: mails.id,
    recipient: mails.recipient,
    subject: mails.subject,
    body: mails.body,
    attempts: mails.attempts,
  })}`,
)
// only the attempt that holds the lease may store the outcome
const FINISH = statement(
  sql`UPDATE ${mails} SET ${bare(mails.status)} = ?4, ${bare(mails.nextAttemptAt)} = ?5,
    ${bare(mails.lastError)} = ?6, ${bare(mails.leaseUntil)} = 0
  WHERE ${mails.tenantId} = ?1 AND ${mails.id} = ?2 AND ${mails.attempts} = ?3 AND ${mails.status} = 'queued'`,
)

/** Claims mails that are due: no other process sends them until the lease ends. */
export function claimMails(platform: Platform): Promise<Claimed[]> {
  const now = platform.clock.now()
  if (!platform.reader.get(DUE, [now])) return Promise.resolve([])
  return platform.writer.submit(() => platform.connection.all<Claimed>(CLAIM, [now, now + LEASE]))
}

/** Sends one claimed mail and stores the outcome; returns whether it was sent. */
async function deliver(platform: Platform, transport: MailTransport, mail: Claimed): Promise<boolean> {
  let status: 'sent' | 'queued' | 'failed' = 'sent'
  let nextAttemptAt: number | null = null
  let problem: string | null = null
  try {
    await transport.send({
      to: mail.recipient,
      subject: mail.subject,
      text: openMail(platform.secrets.forFirm(mail.tenantId), mail),
    })
  } catch (error) {
    const wait = BACK_OFF[mail.attempts - 1]
    const permanent = !(error instanceof MailError) || error.permanent
    status = permanent || wait === undefined ? 'failed' : 'queued'
    nextAttemptAt = status === 'queued' && wait !== undefined ? platform.clock.now() + wait : null
    problem = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  }
  const { tenantId, id, attempts } = mail
  await platform.writer.submit(() =>
    platform.connection.run(FINISH, [tenantId, id, attempts, status, nextAttemptAt, problem]),
  )
  return status === 'sent'
}

/**
 * Sends queued mails by SMTP. After a crash a mail is sent again when its lease ends: at least once. src/README “Jobs”.
 */
export const sendMails = defineJob({
  name: 'mails.send',
  every: 2 * SECOND,
  run: async ({ platform, signal }) => {
    const { smtp } = platform.config
    if (smtp === null) return null
    const transport = createMailTransport(smtp)
    let sent = 0
    let failed = 0
    while (!signal.aborted) {
      const claimed = await claimMails(platform)
      if (claimed.length === 0) break
      const outcomes = await Promise.all(claimed.map((mail) => deliver(platform, transport, mail)))
      sent += outcomes.filter(Boolean).length
      failed += outcomes.filter((taken) => !taken).length
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
