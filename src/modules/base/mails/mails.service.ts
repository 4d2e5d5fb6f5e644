import type { Static } from '@sinclair/typebox'
import { type Role, rankOf } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { refuseImpersonation, roleOf, staffIdOf } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Language } from '../../../words/language.ts'
import { inLanguage } from '../../../words/say.ts'
import { mailErrors } from './mails.errors.ts'
import type { LetIn, Recipients } from './mails.hooks.ts'
import { type MailWithText, toMail } from './mails.model.ts'
import { type MailRow, mails } from './mails.table.ts'

const contextOf = (tenantId: string, id: string): string => `mail:${tenantId}:${id}`

/** What a mail says: it is said in the language of whom it goes to. */
export type Letter = () => { subject: string; text: string }

/**
 * Puts a mail into the outbox with the change that causes it: sent by the job where SMTP is configured, else held
 * for the console. `recipientRole` is the recipient's staff role: nobody below it may read a held mail, since its
 * link would make them that person. `link` is whom a link in its text lets in: a notice makes nobody anybody.
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
  const sends = ctx.config.sendsMail
  const { subject, text } = inLanguage(mail.language, mail.letter)
  tx.insert(mails, {
    id,
    recipient: mail.to,
    subject,
    body: ctx.secrets.seal(`${text}\n`, contextOf(ctx.tenantId, id)),
    readerRank: Math.max(rankOf('admin'), mail.recipientRole === null ? 0 : rankOf(mail.recipientRole)),
    status: sends ? 'queued' : 'held',
    nextAttemptAt: sends ? tx.now : null,
    expiresAt: mail.expiresAt,
    link: mail.link !== null,
    ...(mail.link && ('userId' in mail.link ? { linkUserId: mail.link.userId } : { linkTraderId: mail.link.traderId })),
  })
}

/** The text of a mail, unsealed. */
export const openMail = (secrets: SecretBox, row: Pick<MailRow, 'tenantId' | 'id' | 'body'>): string =>
  secrets.openText(row.body, contextOf(row.tenantId, row.id))

/** The rank that a mail's reader needs: that of the recipient now, who may have risen since it was written. */
function readerRankOf(ctx: Ctx, { users }: Recipients, row: MailRow): number {
  const recipient = users.find(ctx.db, row.linkUserId === null ? { email: row.recipient } : { id: row.linkUserId })
  return Math.max(row.readerRank, recipient ? rankOf(recipient.role) : 0)
}

/**
 * Notes that somebody read a link, and so could be whom it lets in. An invitation to another firm
 * may be kept here; such a mail says no more than the address.
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

/** What the audit says of a mail: a client is named by id, for the chain keeps this line when the person is erased. */
export function entryOf(tx: Tx, { users, traders }: Recipients, mail: MailRow) {
  const { id, recipient, subject, linkTraderId, linkUserId } = mail
  if (linkTraderId !== null) return { entity: 'mail', entityId: id, traderId: linkTraderId, after: { subject } }
  if (linkUserId !== null) return { entity: 'mail', entityId: id, traderId: null, after: { subject, recipient } }
  // a client may have a colleague's address: what is noted of that colleague's mail does not go with the client
  const colleague = users.find(tx, { email: recipient })
  const traderId = colleague ? null : (traders.find(tx, { email: recipient }, { withDeleted: true })?.id ?? null)
  return { entity: 'mail', entityId: id, traderId, after: { subject, ...(colleague ? { recipient } : {}) } }
}

/**
 * One mail with its text, for those whose role reaches the recipient's:
 * who reads a link can take it. Audited, since it is as good as a key. 409 for a link that was sent.
 */
export async function readMail(ctx: Ctx, recipients: Recipients, id: string): Promise<Static<typeof MailWithText>> {
  refuseImpersonation(ctx)
  // a link in a mail makes its reader a signed-in person: a key must not become one
  if (ctx.principal.kind === 'api_key') throw mailErrors.not_by_key()
  const row = ctx.db.get(mails, id)
  const role = roleOf(ctx.principal)
  if (role === null || rankOf(role) < readerRankOf(ctx, recipients, row)) throw mailErrors.above_you()
  if (row.link && row.status === 'sent') throw mailErrors.sent()
  await ctx.write('mail.read', (tx) => {
    if (row.link) noteReader(tx, recipients, staffIdOf(ctx.principal), row)
    tx.audit(entryOf(tx, recipients, row))
  })
  return { ...toMail(row), text: openMail(ctx.secrets, row) }
}
