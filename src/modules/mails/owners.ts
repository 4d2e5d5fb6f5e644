import type { Ctx } from '../../platform/access/ctx.ts'
import { DAY } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { users } from '../users/users.table.ts'
import { queueMail } from './mails.service.ts'

/** A notice carries no link; it is kept for a week. */
const NOTICE_LIFE = 7 * DAY

/** Tells every active owner of the firm. */
export function mailOwners(tx: Tx, ctx: Ctx, { subject, text }: { subject: string; text: string }): void {
  for (const owner of tx.unowned.list(users, { status: 'active' }).filter(({ roles }) => roles.includes('owner'))) {
    queueMail(tx, ctx, {
      to: owner.email,
      subject,
      text: `Hello ${owner.displayName},\n\n${text}\n`,
      recipientRole: 'owner',
      expiresAt: tx.now + NOTICE_LIFE,
      link: null,
    })
  }
}
