import type { Ctx } from '../../platform/access/ctx.ts'
import { DAY } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { say } from '../../words/say.ts'
import { queueMail } from '../mails/mails.service.ts'
import { users } from './users.table.ts'

/** A notice carries no link; it is kept for a week. */
const NOTICE_LIFE = 7 * DAY

type Notice = { subject: string; text: string }

/** Tells every active owner of the firm. */
export const mailOwners = (tx: Tx, ctx: Ctx, notice: Notice): void => mailHolders(tx, ctx, 'owner', notice)

/** Tells every active administrator of the installation who is of this firm. */
export const mailAdministrators = (tx: Tx, ctx: Ctx, notice: Notice): void =>
  mailHolders(tx, ctx, 'platform_admin', notice)

function mailHolders(tx: Tx, ctx: Ctx, role: 'owner' | 'platform_admin', { subject, text }: Notice): void {
  for (const holder of tx.unowned.list(users, { status: 'active' }).filter(({ roles }) => roles.includes(role))) {
    queueMail(tx, ctx, {
      to: holder.email,
      subject,
      text: `${say('mail.mail.hello', { displayName: holder.displayName, text })}\n`,
      recipientRole: role,
      expiresAt: tx.now + NOTICE_LIFE,
      link: null,
    })
  }
}
