import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts'
import { removeInBatches } from '../../platform/jobs/housekeeping.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { createMailTransport, MailError, type MailTransport } from '../../platform/mail.ts'
import type { Platform } from '../../platform/platform.ts'
import { openMail } from './mails.service.ts'

/** Waits after the first, second … failed attempt; after the last, the mail has failed. */
const BACK_OFF = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR] as const
/** Longer than a send may take: when it ends, the process that claimed the mail is gone. */
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

const DUE = `SELECT 1 FROM mails WHERE status = 'queued' AND next_attempt_at <= ?1 AND lease_until <= ?1 AND expires_at > ?1 LIMIT 1`
const CLAIM = `UPDATE mails SET lease_until = ?2, attempts = attempts + 1
  WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM mails
    WHERE status = 'queued' AND next_attempt_at <= ?1 AND lease_until <= ?1 AND expires_at > ?1 ORDER BY next_attempt_at LIMIT ${BATCH})
  RETURNING tenant_id AS tenantId, id, recipient, subject, body, attempts`
// only the attempt that holds the lease may say how it ended
const FINISH = `UPDATE mails SET status = ?4, next_attempt_at = ?5, last_error = ?6, lease_until = 0
  WHERE tenant_id = ?1 AND id = ?2 AND attempts = ?3 AND status = 'queued'`

/** Claims mails that are due: from this commit on nobody else sends them until the lease ends. */
export function claimMails(platform: Platform): Promise<Claimed[]> {
  const now = platform.clock.now()
  if (!platform.reader.get(DUE, [now])) return Promise.resolve([])
  return platform.writer.submit(() => platform.connection.all<Claimed>(CLAIM, [now, now + LEASE]))
}

/** Sends one claimed mail and notes how it ended; answers whether it was taken. */
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
 * Sends queued mails by SMTP. A crash between claim and finish sends
 * again after the lease: at least once, never lost. DESIGN §8.
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
    return sent + failed === 0 ? null : `${sent} sent, ${failed} not taken`
  },
})

const PURGE = `DELETE FROM mails WHERE (tenant_id, id) IN (SELECT tenant_id, id FROM mails WHERE expires_at <= ? LIMIT ?)`

/** Removes mails whose links have died. */
export const purgeMails = defineJob({
  name: 'mails.purge',
  every: 10 * MINUTE,
  run: async (run) => {
    const removed = await removeInBatches(run, PURGE, [run.platform.clock.now()])
    return removed === 0 ? null : `${removed} mails removed`
  },
})
