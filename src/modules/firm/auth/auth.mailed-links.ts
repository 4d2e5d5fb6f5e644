import type { Static } from '@sinclair/typebox'
import type { BoxCtx } from '../../../platform/access/ctx.ts'
import { ownName } from '../../../platform/db/directory.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { queueMail } from '../../base/mails/mails.service.ts'
import { authErrors } from './auth.errors.ts'
import { goodLink, linkWait, noteLinkMail, timeLeft } from './auth.links.ts'
import { createPersonCtx, type FoundLink, findCandidates, findLink } from './auth.lookup.ts'
import type { AcceptInviteIn, ResetIn } from './auth.model.ts'
import { readAccountNames } from './auth.own-account.ts'
import { type Owner, type Owners, resolveOwner } from './auth.owners.ts'
import { hashChosenPassword } from './auth.passwords.ts'
import { endSessions, setPassword, tellOfPassword } from './auth.service.ts'
import { credentials, oneTimeLinks } from './auth.table.ts'
import type { Throttle } from './auth.throttle.ts'

/** Mails a reset link to every account with this address. Without one the answer is the same and takes as long. */
export async function forgotPassword(
  ctx: BoxCtx,
  owners: Owners,
  throttle: Throttle,
  email: string,
  host: string,
): Promise<{ status: 'accepted' }> {
  const folded = foldEmail(email)
  const key = `forgot:${folded}`
  throttle.attempt(key, { ip: ctx.ip }, ctx.now())
  for (const candidate of findCandidates(ctx, owners, folded, host)) {
    const owner: Owner | null =
      candidate.userId !== null
        ? { userId: candidate.userId }
        : candidate.traderId !== null
          ? { traderId: candidate.traderId }
          : null
    // a client who was never invited has no password to reset
    if (owner === null || (candidate.traderId !== null && candidate.passwordHash === null)) continue
    const person = createPersonCtx(ctx, candidate)
    const role = person.principal.kind === 'user' ? person.principal.role : null
    const { kind, id } = resolveOwner(owners, owner)
    void person
      .write('auth.forgot', (tx) => {
        // the address may have changed since the lookup
        const account = kind.find(tx, id)
        if (account?.email !== folded) return
        // the same answer is given, so that it does not reveal how often a link was asked for
        if (linkWait(tx, person, folded) > 0) return
        noteLinkMail(tx, person, folded)
        // an invited account has no password to reset, and its invite may have expired, so it gets an invite
        if (account.isInvited) return kind.mailInvite(tx, person, id, goodLink(tx, person, owner, 'invite'))
        const { url, expiresAt } = goodLink(tx, person, owner, 'reset')
        queueMail(tx, person, {
          to: folded,
          language: pickLanguage(account.locale),
          letter: () => ({
            subject: say('auth.mail.reset.subject', { firmName: ownName(tx.unowned) }),
            text: say('auth.mail.reset.text', { ...timeLeft(expiresAt - tx.now), url }),
          }),
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

/** Sets a new password by a reset link and ends all sessions. The second factor stays as it is. */
export async function resetPassword(
  ctx: BoxCtx,
  owners: Owners,
  input: Static<typeof ResetIn>,
): Promise<{ status: 'ok' }> {
  const link = usableLink(ctx, input.token, 'reset')
  const person = createPersonCtx(ctx, link)
  const names = readAccountNames(person.db, person, owners, linkOwner(link))
  const passwordHash = await hashChosenPassword('password', input.password, names)
  return person.write('auth.reset', (tx) => {
    if (!tx.find(oneTimeLinks, { id: link.id })) throw authErrors.link_invalid()
    tx.remove(oneTimeLinks, link.id)
    setPassword(tx, linkOwner(link), passwordHash)
    tellOfPassword(tx, person, owners, linkOwner(link))
    endSessions(tx, linkOwner(link))
    return { status: 'ok' as const }
  })
}

/** Accepts an invite: sets the first password and makes the account active. */
export async function acceptInvite(
  ctx: BoxCtx,
  owners: Owners,
  input: Static<typeof AcceptInviteIn>,
): Promise<{ status: 'ok' }> {
  const link = usableLink(ctx, input.token, 'invite')
  const person = createPersonCtx(ctx, link)
  const names = readAccountNames(person.db, person, owners, linkOwner(link))
  const passwordHash = await hashChosenPassword('password', input.password, names)
  return person.write('auth.accept_invite', (tx) => {
    if (!tx.find(oneTimeLinks, { id: link.id })) throw authErrors.link_invalid()
    tx.remove(oneTimeLinks, link.id)
    const owner = linkOwner(link)
    const { kind, id } = resolveOwner(owners, owner)
    if (!kind.takeInvite(tx, person, id, input.displayName)) throw authErrors.link_invalid()
    // if the account had a password already, the link replaces it
    if (tx.find(credentials, owner)?.passwordHash) tellOfPassword(tx, person, owners, owner)
    // a client's acceptance changes nothing but the password, so the audit row of the password names the act
    setPassword(tx, owner, passwordHash, { isPart: 'userId' in owner })
    // a session may have been opened with a password that a colleague gave
    endSessions(tx, owner)
    return { status: 'ok' as const }
  })
}
