import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { DAY } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { type Letter, queueMail } from '../../base/mails/mails.service.ts'
import { type UserRow, users } from './users.table.ts'

const NOTICE_LIFE = 7 * DAY

/** Mails every active owner of the firm. */
export const mailOwners = (tx: Tx, ctx: Ctx, notice: Letter): void => mailHolders(tx, ctx, 'owner', notice)

/** Mails every active administrator of the box who belongs to this firm. */
export const mailAdministrators = (tx: Tx, ctx: Ctx, notice: Letter): void =>
  mailHolders(tx, ctx, 'platform_admin', notice)

/** Roles that manage people, the firm or the box. */
const POWER = ['platform_admin', 'owner', 'admin'] as const

/** How a colleague got one of these roles. */
type Came = 'invited' | 'accepted' | 'raised' | 'enabled'

/** Mails every owner that a colleague has, or will have, a role that manages people, the firm or the box. */
export function mailNewPower(
  tx: Tx,
  ctx: Ctx,
  { displayName, email, roles }: Pick<UserRow, 'displayName' | 'email' | 'roles'>,
  came: Came,
): void {
  const role = POWER.find((name) => roles.includes(name))
  if (role === undefined) return
  const by = actorName(tx, ctx)
  const facts = { name: displayName, email, role, came, isKnown: String(by !== ''), by }
  mailOwners(tx, ctx, () => ({ subject: say('users.mail.power', facts), text: say('users.mail.came_to_power', facts) }))
}

/** Mails every owner that guarded settings were changed; `settings` are their names. */
export function mailGuardChange(tx: Tx, ctx: Ctx, settings: readonly string[]): void {
  if (settings.length === 0) return
  const by = actorName(tx, ctx)
  const facts = { settings: settings.join(', '), isKnown: String(by !== ''), by }
  mailOwners(tx, ctx, () => ({ subject: say('users.mail.guard', facts), text: say('users.mail.guard_changed', facts) }))
}

/** Returns the name of the acting colleague; empty for a person of another firm. */
export const actorName = (tx: Tx, { principal }: Ctx): string =>
  tx.unowned.find(users, { id: findStaffId(principal) ?? '' }, { withDeleted: true })?.displayName ?? ''

function mailHolders(tx: Tx, ctx: Ctx, role: 'owner' | 'platform_admin', letter: Letter): void {
  for (const holder of tx.unowned.list(users, { status: 'active' }).filter(({ roles }) => roles.includes(role))) {
    queueMail(tx, ctx, {
      to: holder.email,
      language: pickLanguage(holder.locale),
      letter: () => {
        const { subject, text } = letter()
        return { subject, text: say('mail.mail.hello', { displayName: holder.displayName, text }) }
      },
      recipientRole: role,
      expiresAt: tx.now + NOTICE_LIFE,
      link: null,
    })
  }
}
