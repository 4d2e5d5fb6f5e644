import { topRole } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { ownName } from '../../../platform/db/directory.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { queueMail } from '../../base/mails/mails.service.ts'
import { newLink, noteLinkMail, takeLinkMail, timeLeft } from '../auth/auth.links.ts'
import type { Link } from '../auth/auth.owners.ts'
import type { UserRow } from './users.table.ts'

const NOTICE_LIFE = DAY

/**
 * Mails a staff user a new link that sets their first password; the fourth within an hour is a 429. `outbox` is another
 * firm's, where the mail is held while nobody in the user's own firm can read it.
 */
export function mailUserInvite(tx: Tx, ctx: Ctx, user: UserRow, outbox: { tx: Tx; ctx: Ctx } = { tx, ctx }): void {
  takeLinkMail(tx, ctx, user.email)
  writeUserInvite(tx, ctx, user, newLink(tx, ctx, { userId: user.id }, 'invite'), outbox)
}

/** Mails a link that replaces a voided one; unlike `mailUserInvite` it never refuses. */
export function replaceUserInvite(tx: Tx, ctx: Ctx, user: UserRow): void {
  noteLinkMail(tx, ctx, user.email)
  writeUserInvite(tx, ctx, user, newLink(tx, ctx, { userId: user.id }, 'invite'))
}

/** Mails a staff user a link that sets their first password; the caller has counted the link. */
export function writeUserInvite(
  tx: Tx,
  ctx: Ctx,
  user: UserRow,
  { url, expiresAt }: Link,
  outbox: { tx: Tx; ctx: Ctx } = { tx, ctx },
): void {
  queueMail(outbox.tx, outbox.ctx, {
    to: user.email,
    language: pickLanguage(user.locale),
    letter: () => ({
      // read inside the transaction: a firm that is just being founded is not yet on the read-only connection
      subject: say('auth.mail.invite.subject', { firmName: ownName(tx.unowned) }),
      text: say('auth.mail.invite.text', {
        displayName: user.displayName,
        url,
        ...timeLeft(expiresAt - tx.now),
      }),
    }),
    recipientRole: topRole(user.roles),
    expiresAt,
    link: { userId: user.id },
  })
}

/** Mails a colleague that their second factor was removed, in case they did not ask for it. */
export function mailTwoFactorRemoved(tx: Tx, ctx: Ctx, user: UserRow): void {
  queueMail(tx, ctx, {
    to: user.email,
    language: pickLanguage(user.locale),
    letter: () => ({
      subject: say('auth.mail.second_factor_reset.subject', { firmName: ownName(tx.unowned) }),
      text: say('auth.mail.second_factor_reset.text', { displayName: user.displayName }),
    }),
    recipientRole: topRole(user.roles),
    expiresAt: tx.now + NOTICE_LIFE,
    link: null,
  })
}
