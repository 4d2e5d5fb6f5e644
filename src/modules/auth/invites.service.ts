import type { Static } from '@sinclair/typebox'
import { topRole } from '../../platform/access/catalogue.ts'
import type { BoxCtx, Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts'
import { ownName } from '../../platform/db/directory.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { foldEmail } from '../../platform/http/fields.ts'
import { say } from '../../words/say.ts'
import { noteClientAct } from '../independence/independence.service.ts'
import { peopleOf } from '../independence/people.ts'
import { queueMail } from '../mails/mails.service.ts'
import { traderErrors } from '../traders/traders.errors.ts'
import { traders } from '../traders/traders.table.ts'
import { type UserRow, users } from '../users/users.table.ts'
import { authErrors } from './auth.errors.ts'
import { goodLink, type Link, linkWait, newLink, noteLinkMail, takeLinkMail } from './auth.links.ts'
import { ctxOf, type FoundLink, findCandidates, findLink } from './auth.lookup.ts'
import type { AcceptInviteIn, ResetIn } from './auth.model.ts'
import { hashChosenPassword } from './auth.passwords.ts'
import { namesOf, type Owner } from './auth.people.ts'
import { endSessionsOf, setPassword } from './auth.service.ts'
import { credentials, oneTimeLinks } from './auth.table.ts'
import type { Throttle } from './auth.throttle.ts'

/** How long a notice is kept. */
const NOTICE_LIFE = DAY

/** How long a link still lives, as people say it: in hours, and in minutes where that is less than one. */
const timeLeft = (ms: number): { hours: number; minutes: number } => ({
  hours: Math.floor(ms / HOUR),
  minutes: Math.floor(ms / MINUTE),
})

/** Read inside the transaction: a firm that is just being founded is not yet on the read-only connection. */
const firmName = (tx: Tx): string => ownName(tx.unowned)

/**
 * Mails a staff user the link that sets their first password: a new one, the fourth within an hour is a 429.
 * `outbox` is another firm's, where the mail is kept when nobody of the user's own firm could read it there yet.
 */
export function mailUserInvite(tx: Tx, ctx: Ctx, user: UserRow, outbox: { tx: Tx; ctx: Ctx } = { tx, ctx }): void {
  takeLinkMail(tx, ctx, user.email)
  writeUserInvite(tx, ctx, user, newLink(tx, ctx, { userId: user.id }, 'invite'), outbox)
}

/** As `mailUserInvite`, for a link that takes the place of one that was voided: never refused. */
export function replaceUserInvite(tx: Tx, ctx: Ctx, user: UserRow): void {
  noteLinkMail(tx, ctx, user.email)
  writeUserInvite(tx, ctx, user, newLink(tx, ctx, { userId: user.id }, 'invite'))
}

function writeUserInvite(
  tx: Tx,
  ctx: Ctx,
  user: UserRow,
  { url, expiresAt }: Link,
  outbox: { tx: Tx; ctx: Ctx } = { tx, ctx },
): void {
  queueMail(outbox.tx, outbox.ctx, {
    to: user.email,
    subject: say('auth.mail.you_invited_to', { firmName: firmName(tx) }),
    text: `${say('auth.mail.hello_set_your_password', { displayName: user.displayName, ...timeLeft(expiresAt - tx.now), url })}\n`,
    recipientRole: topRole(user.roles),
    expiresAt,
    link: { userId: user.id },
  })
}

/** Tells a colleague that somebody took their second factor off: if nobody was asked to, something is wrong. */
export function mailTwoFactorRemoved(tx: Tx, ctx: Ctx, user: UserRow): void {
  queueMail(tx, ctx, {
    to: user.email,
    subject: say('auth.mail.two_step_sign_in', { firmName: firmName(tx) }),
    text: `${say('auth.mail.hello_administrator_took_two', { displayName: user.displayName })}\n`,
    recipientRole: topRole(user.roles),
    expiresAt: tx.now + NOTICE_LIFE,
    link: null,
  })
}

/** Tells a client's old address that sign-in goes by another one now. */
export function mailAddressChanged(tx: Tx, ctx: Ctx, oldAddress: string): void {
  queueMail(tx, ctx, {
    to: oldAddress,
    subject: say('auth.mail.your_address_at_was', { firmName: firmName(tx) }),
    text: `${say('auth.mail.e_mail_address_your', { firmName: firmName(tx) })}\n`,
    recipientRole: null,
    expiresAt: tx.now + NOTICE_LIFE,
    link: null,
  })
}

/** Mails a trader the link that sets a password, so that they can sign in. */
export function inviteTrader(ctx: Ctx, traderId: string): Promise<{ status: 'accepted' }> {
  return ctx.write('trader.invite', (tx) => {
    const trader = tx.get(traders, traderId)
    if (trader.email === null) throw traderErrors.no_email()
    // a key that also changes addresses could otherwise become any client
    if (ctx.principal.kind === 'api_key' && tx.find(credentials, { traderId })?.passwordHash)
      throw traderErrors.has_access()
    takeLinkMail(tx, ctx, trader.email)
    const { url, expiresAt } = newLink(tx, ctx, { traderId }, 'invite')
    queueMail(tx, ctx, {
      to: trader.email,
      subject: say('auth.mail.your_access_to', { firmName: firmName(tx) }),
      text: `${say('auth.mail.hello_set_your_password_here', { firstName: trader.firstName ?? '', url })}\n`,
      recipientRole: null,
      expiresAt,
      link: { traderId },
    })
    // a link to an address of one's own choice is a link to oneself
    const sender = staffIdOf(ctx.principal)
    if (trader.emailBy !== null && sender !== null && peopleOf(tx, tx.now).samePerson(trader.emailBy, sender))
      noteClientAct(tx, sender, traderId, 'sent_own_link')
    tx.audit({ entity: 'trader', entityId: traderId, traderId })
    return { status: 'accepted' as const }
  })
}

/** Mails a reset link to every account with this address. The answer is the same, and as quick, when there is none. */
export async function forgotPassword(
  ctx: BoxCtx,
  throttle: Throttle,
  email: string,
  host: string,
): Promise<{ status: 'accepted' }> {
  const folded = foldEmail(email)
  const key = `forgot:${folded}`
  throttle.attempt(key, { ip: ctx.ip }, ctx.now())
  for (const candidate of findCandidates(ctx, folded, host)) {
    const owner: Owner | null =
      candidate.userId !== null
        ? { userId: candidate.userId }
        : candidate.traderId !== null
          ? { traderId: candidate.traderId }
          : null
    // a trader who was never invited has no password to reset
    if (owner === null || (candidate.traderId !== null && candidate.passwordHash === null)) continue
    const person = ctxOf(ctx, candidate)
    const role = person.principal.kind === 'user' ? person.principal.role : null
    void person
      .write('auth.forgot', (tx) => {
        // the address may have changed since it was looked up
        const user = 'userId' in owner ? tx.find(users, { id: owner.userId }) : undefined
        const account = 'userId' in owner ? user : tx.find(traders, { id: owner.traderId })
        if (account?.email !== folded) return
        // the answer is the same: nobody learns how often somebody asked
        if (linkWait(tx, person, folded) > 0) return
        noteLinkMail(tx, person, folded)
        // there is no password yet to be reset, and the invite may have lapsed
        if (user?.status === 'invited') return writeUserInvite(tx, person, user, goodLink(tx, person, owner, 'invite'))
        const { url, expiresAt } = goodLink(tx, person, owner, 'reset')
        queueMail(tx, person, {
          to: folded,
          subject: say('auth.mail.new_password_for', { firmName: firmName(tx) }),
          text: `${say('auth.mail.somebody_hopefully_you_asked', { ...timeLeft(expiresAt - tx.now), url })}\n`,
          recipientRole: role,
          expiresAt,
          link: owner,
        })
        tx.audit({ entity: 'credential', traderId: candidate.traderId })
      })
      .catch((error: unknown) => ctx.log.error({ err: error }, 'reset link could not be made'))
  }
  return { status: 'accepted' }
}

const linkOwner = (link: FoundLink): Owner =>
  link.userId !== null ? { userId: link.userId } : { traderId: link.traderId ?? '' }

function usableLink(ctx: BoxCtx, token: string, purpose: 'invite' | 'reset'): FoundLink {
  const link = findLink(ctx, token)
  if (!link || link.purpose !== purpose || link.expiresAt <= ctx.now()) throw authErrors.link_invalid()
  return link
}

/** Sets a new password with a reset link; ends all sessions. The second factor stays. */
export async function resetPassword(ctx: BoxCtx, input: Static<typeof ResetIn>): Promise<{ status: 'ok' }> {
  const link = usableLink(ctx, input.token, 'reset')
  const person = ctxOf(ctx, link)
  const names = namesOf(person.db, person, linkOwner(link))
  const passwordHash = await hashChosenPassword('password', input.password, names)
  return person.write('auth.reset', (tx) => {
    if (!tx.find(oneTimeLinks, { id: link.id })) throw authErrors.link_invalid()
    tx.remove(oneTimeLinks, link.id)
    setPassword(tx, linkOwner(link), passwordHash)
    endSessionsOf(tx, linkOwner(link))
    return { status: 'ok' as const }
  })
}

/** Takes an invite: sets the first password and makes the account active. */
export async function acceptInvite(ctx: BoxCtx, input: Static<typeof AcceptInviteIn>): Promise<{ status: 'ok' }> {
  const link = usableLink(ctx, input.token, 'invite')
  const person = ctxOf(ctx, link)
  const names = namesOf(person.db, person, linkOwner(link))
  const passwordHash = await hashChosenPassword('password', input.password, names)
  return person.write('auth.accept_invite', (tx) => {
    if (!tx.find(oneTimeLinks, { id: link.id })) throw authErrors.link_invalid()
    tx.remove(oneTimeLinks, link.id)
    const owner = linkOwner(link)
    if ('userId' in owner) {
      const user = tx.find(users, { id: owner.userId })
      if (!user || user.status === 'disabled') throw authErrors.link_invalid()
      tx.update(users, user.id, { status: 'active', displayName: input.displayName ?? user.displayName })
    } else if (!tx.find(traders, { id: owner.traderId })) throw authErrors.link_invalid()
    setPassword(tx, owner, passwordHash)
    // whoever signed in with a password they were given by somebody else
    endSessionsOf(tx, owner)
    return { status: 'ok' as const }
  })
}
