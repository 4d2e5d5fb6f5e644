import type { Static } from '@sinclair/typebox'
import { getRank, type Role } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId, refuseImpersonation } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Language } from '../../../words/language.ts'
import { inLanguage } from '../../../words/say.ts'
import { mailErrors } from './mails.errors.ts'
import type { LetIn, Recipients } from './mails.hooks.ts'
import { type MailWithText, toMail } from './mails.model.ts'
import { type MailRow, mails } from './mails.table.ts'

const sealContext = (tenantId: string, id: string): string => `mail:${tenantId}:${id}`

/** Makes the text once the recipient's language is known. */
export type Letter = () => { subject: string; text: string }

/**
 * Queues a mail in the same write as the change that causes it. If SMTP is configured, the job sends it; else it is
 * held for the console. `recipientRole` is the recipient's staff role: a lower role may not read a held mail, since its
 * link would sign the reader in as the recipient. `link` is the person whom a link in the text signs in.
 */
export function queueMail(
  tx: Tx,
  ctx: Ctx,
  mail: {
    to: string
    language: Language
    letter: Letter
    recipientRole: Role | null
    expiresAt: number
    link: LetIn | null
  },
): void {
  const id = ctx.ids.next('mal')
  const sends = ctx.mail.isSent
  const { subject, text } = inLanguage(mail.language, mail.letter)
  tx.insert(mails, {
    id,
    recipient: mail.to,
    subject,
    body: ctx.secrets.seal(`${text}\n`, sealContext(ctx.tenantId, id)),
    readerRank: Math.max(getRank('admin'), mail.recipientRole === null ? 0 : getRank(mail.recipientRole)),
    status: sends ? 'queued' : 'held',
    nextAttemptAt: sends ? tx.now : null,
    expiresAt: mail.expiresAt,
    link: mail.link !== null,
    ...(mail.link && ('userId' in mail.link ? { linkUserId: mail.link.userId } : { linkTraderId: mail.link.traderId })),
  })
}

/** Returns the text of a mail, unsealed. */
export const openMail = (secrets: SecretBox, row: Pick<MailRow, 'tenantId' | 'id' | 'body'>): string =>
  secrets.openText(row.body, sealContext(row.tenantId, row.id))

/** Returns the rank that a reader needs: the recipient's present one, which may have risen since the writing. */
function getReaderRank(ctx: Ctx, { users }: Recipients, row: MailRow): number {
  const recipient = users.find(ctx.db, row.linkUserId === null ? { email: row.recipient } : { id: row.linkUserId })
  return Math.max(row.readerRank, recipient ? getRank(recipient.role) : 0)
}

/**
 * Notes that this reader saw a link and so could have used it. If the invitation is to another firm, only the address
 * is known here.
 */
function noteReader(
  tx: Tx,
  { users, traders }: Recipients,
  reader: string | null,
  { recipient, linkUserId, linkTraderId }: MailRow,
): void {
  const isKnown = linkUserId !== null || linkTraderId !== null
  const anyway = { withDeleted: true }
  const user = users.find(tx, isKnown ? { id: linkUserId ?? '' } : { email: recipient }, anyway)
  const trader = traders.find(tx, isKnown ? { id: linkTraderId ?? '' } : { email: recipient }, anyway)
  if (user) users.noteReader(tx, reader, user.id)
  if (trader) traders.noteReader(tx, reader, trader.id)
}

/** Returns the audit entry of a mail. It names a client by id, since the audit is kept when the client is erased. */
export function toAuditEntry(tx: Tx, { users, traders }: Recipients, mail: MailRow) {
  const { id, recipient, subject, linkTraderId, linkUserId } = mail
  if (linkTraderId !== null) return { entity: 'mail', entityId: id, traderId: linkTraderId, after: { subject } }
  if (linkUserId !== null) return { entity: 'mail', entityId: id, traderId: null, after: { subject, recipient } }
  // a client may have a colleague's address: entries about the colleague's mail are kept when the client is erased
  const colleague = users.find(tx, { email: recipient })
  const traderId = colleague ? null : (traders.find(tx, { email: recipient }, { withDeleted: true })?.id ?? null)
  return { entity: 'mail', entityId: id, traderId, after: { subject, ...(colleague ? { recipient } : {}) } }
}

/**
 * Answers one mail with its text, to colleagues whose rank is at least the recipient's. The reading is audited, since a
 * link in the text could sign the reader in. 409 for a link that was already sent.
 */
export async function readMail(ctx: Ctx, recipients: Recipients, id: string): Promise<Static<typeof MailWithText>> {
  refuseImpersonation(ctx)
  // the link signs its reader in, which a key must not do
  if (ctx.principal.kind === 'api_key') throw mailErrors.not_by_key()
  const row = ctx.db.get(mails, id)
  const role = findRole(ctx.principal)
  if (role === null || getRank(role) < getReaderRank(ctx, recipients, row)) throw mailErrors.above_you()
  if (row.link && row.status === 'sent') throw mailErrors.sent()
  await ctx.write('mail.read', (tx) => {
    if (row.link) noteReader(tx, recipients, findStaffId(ctx.principal), row)
    tx.audit(toAuditEntry(tx, recipients, row))
  })
  return { ...toMail(row), text: openMail(ctx.secrets, row) }
}
