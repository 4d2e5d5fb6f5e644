import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { type AuditHead, formatAnchor } from '../../../platform/audit/audit.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { auditHeads } from './audit.table.ts'

const NAME = 'audit.anchor'
const HEADS = statement(
  sql`SELECT ${listed({ tenantId: auditHeads.tenantId, seq: auditHeads.seq, hash: auditHeads.hash })}
  FROM ${auditHeads} ${ofActiveTenant(auditHeads.tenantId)}`,
)
const SENT = 'SELECT value FROM job_state WHERE name = ?'
const NOTE = `INSERT INTO job_state (name, value) SELECT ?2, ?3 WHERE ?1 <> '' ON CONFLICT (name) DO UPDATE SET value = ?3`

/**
 * Writes the last entry of each firm's log to the program's log and mails it to the owners, once a day. A person who
 * later cuts the log off and seals it again cannot remove that line from a mailbox; `GET /v1/audit/verify?anchor=` says
 * whether the log still contains it.
 */
export const anchorAudit = defineJob({
  name: NAME,
  every: DAY,
  delay: 5 * MINUTE,
  run: async ({ platform, signal }) => {
    let sent = 0
    for (const { tenantId, ...head } of platform.reader.all<AuditHead & { tenantId: string }>(HEADS)) {
      if (signal.aborted) break
      const key = `${NAME}.${tenantId}`
      const anchor = formatAnchor(head)
      if (platform.reader.get<{ value: string }>(SENT, [key])?.value === anchor) continue
      platform.log.info({ tenantId, anchor }, 'audit anchor')
      const ctx = systemCtx(platform, tenantId, NAME)
      await ctx.write('audit.anchor', (tx) => {
        mailOwners(tx, ctx, () => ({
          subject: say('audit.mail.anchor.subject'),
          text: say('audit.mail.anchor.text', { anchor }),
        }))
        tx.execute(NOTE, [key, anchor])
        return null
      })
      sent += 1
    }
    return sent === 0 ? null : say('jobs.logs_anchored', { sent })
  },
})
