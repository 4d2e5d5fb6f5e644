import { type Role, rankOf } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type MailRow, mails } from './mails.table.ts'

const contextOf = (tenantId: string, id: string): string => `mail:${tenantId}:${id}`

/**
 * Puts a mail into the outbox with the change that causes it: sent by the job where SMTP is configured, else held for the console. `recipientRole` is
 * the recipient's staff role: nobody below it may read a held mail, since its link would make them that person.
 */
export function queueMail(
  tx: Tx,
  ctx: Ctx,
  mail: { to: string; subject: string; text: string; recipientRole: Role | null; expiresAt: number },
): void {
  const id = ctx.platform.ids.next('mal')
  const sends = ctx.platform.config.smtp !== null
  tx.insert(mails, {
    id,
    recipient: mail.to,
    subject: mail.subject,
    body: ctx.secrets.seal(mail.text, contextOf(ctx.tenantId, id)),
    readerRank: Math.max(rankOf('admin'), mail.recipientRole === null ? 0 : rankOf(mail.recipientRole)),
    status: sends ? 'queued' : 'held',
    nextAttemptAt: sends ? tx.now : null,
    expiresAt: mail.expiresAt,
  })
}

/** The text of a mail. */
export const mailText = (ctx: Ctx, row: MailRow): string =>
  ctx.secrets.openText(row.body, contextOf(row.tenantId, row.id))
