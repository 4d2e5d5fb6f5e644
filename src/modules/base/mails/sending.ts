import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { BulkResults, writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { Id, Strict } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { mailErrors } from './mails.errors.ts'
import type { Recipients } from './mails.hooks.ts'
import { openMail, toAuditEntry } from './mails.service.ts'
import { mailStates } from './mails.states.ts'
import { type MailRow, mails } from './mails.table.ts'

export const SendMailsIn = nameSchema(
  'MailSendIn',
  Strict({
    ids: Type.Optional(
      Type.Array(Id, { maxItems: 500, uniqueItems: true, description: 'more mails to send, besides that of the path' }),
    ),
  }),
)
export const SendMailsOut = nameSchema('MailSendResult', BulkResults({}))

// nobody decided this change, so it raises no version and writes no audit
const DUE_NOW = statement(
  sql`UPDATE ${mails} SET ${bare(mails.nextAttemptAt)} = ?3 WHERE ${mails.tenantId} = ?1 AND ${mails.id} = ?2
    AND ${mails.status} = 'queued' AND ${mails.leaseUntil} <= ?3`,
)

/** Returns whether the link in a mail is no longer valid: it was used, or a newer one replaced it. */
function isOver(tx: Tx, ctx: Ctx, { users, traders, isGoodLink }: Recipients, row: MailRow): boolean {
  if (!row.link) return false
  const anyway = { withDeleted: true }
  // the link may be for another firm, where this firm cannot see whether it was used
  const isOurs =
    users.find(tx, { id: row.linkUserId ?? '' }, anyway) ?? traders.find(tx, { id: row.linkTraderId ?? '' }, anyway)
  const token = /\?token=([\w-]+)/.exec(openMail(ctx.secrets, row))?.[1]
  return isOurs !== undefined && token !== undefined && !isGoodLink(tx, token)
}

/** Queues one mail again; a mail that waits for its next attempt is tried at once. */
function sendAgain(tx: Tx, ctx: Ctx, people: Recipients, id: string): void {
  const row = tx.get(mails, id)
  if (row.status === 'queued') {
    tx.execute(DUE_NOW, [id, tx.now])
    return
  }
  if (!ctx.mail.isSent) throw mailErrors.no_server()
  if (row.expiresAt <= tx.now || isOver(tx, ctx, people, row)) throw mailErrors.over()
  tx.transition(mails, id, mailStates, 'queued', { attempts: 0, nextAttemptAt: tx.now, leaseUntil: 0, lastError: null })
  tx.audit(toAuditEntry(tx, people, row))
}

/**
 * Sends a failed or held mail again without showing its text; `ids` names several, each with its own result. 409 if no
 * mail server is configured or the link is no longer valid. RULES “Mail”, “Bulk”.
 */
export async function sendMails(
  ctx: Ctx,
  people: Recipients,
  id: string,
  { ids }: Static<typeof SendMailsIn>,
): Promise<Static<typeof SendMailsOut>> {
  ctx.mail.tryNow()
  if (ids === undefined)
    return ctx.write('mail.send', (tx) => {
      sendAgain(tx, ctx, people, id)
      return { results: [{ id, ok: true }] }
    })
  ctx.db.get(mails, id)
  if (!ctx.mail.isSent) throw mailErrors.no_server()
  return writeEach(ctx, 'mail.send', [...new Set([id, ...ids])], (tx, one) => {
    sendAgain(tx, ctx, people, one)
    return {}
  })
}
