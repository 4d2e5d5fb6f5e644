import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { pickLanguage } from '../../../words/language.ts'
import { type Letter, queueMail } from '../../base/mails/mails.service.ts'
import { findOwnerFacts, type Owner, type Owners } from './auth.owners.ts'

const NOTICE_LIFE = 7 * DAY

/** Mails the holder of an account what was done with it, in case it was not they who did it. The mail has no link. */
export function mailHolder(tx: Tx, ctx: Ctx, owners: Owners, owner: Owner, letter: Letter): void {
  const holder = findOwnerFacts(owners, tx, owner)
  if (!holder || holder.email === null) return
  queueMail(tx, ctx, {
    to: holder.email,
    language: pickLanguage(holder.locale),
    letter,
    recipientRole: holder.role,
    expiresAt: tx.now + NOTICE_LIFE,
    link: null,
  })
}
