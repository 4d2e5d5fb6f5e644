import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { DAY } from '../../../platform/clock.ts'
import { ownName } from '../../../platform/db/directory.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { queueMail } from '../../base/mails/mails.service.ts'
import { newLink, takeLinkMail } from '../../firm/auth/auth.links.ts'
import type { Link } from '../../firm/auth/auth.owners.ts'
import { credentials } from '../../firm/auth/auth.table.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { traderErrors } from './traders.errors.ts'
import { type TraderRow, traders } from './traders.table.ts'

const NOTICE_LIFE = DAY

/** Mails a client the link that sets a password, so that they can sign in. */
export function inviteTrader(ctx: Ctx, traderId: string): Promise<{ status: 'accepted' }> {
  return ctx.write('trader.invite', (tx) => {
    const trader = tx.get(traders, traderId)
    if (trader.email === null) throw traderErrors.no_email()
    // a key that may also change addresses could otherwise sign in as any client
    if (ctx.principal.kind === 'api_key' && tx.find(credentials, { traderId })?.passwordHash)
      throw traderErrors.has_access()
    takeLinkMail(tx, ctx, trader.email)
    writeTraderInvite(tx, ctx, trader, newLink(tx, ctx, { traderId }, 'invite'))
    // a sender who chose the address could be mailing the link to themselves
    const sender = findStaffId(ctx.principal)
    noteClientAct(tx, sender, traderId, 'sent_link')
    if (trader.emailBy !== null && sender !== null && readPeople(tx, tx.now).samePerson(trader.emailBy, sender))
      noteClientAct(tx, sender, traderId, 'sent_own_link')
    tx.audit({ entity: 'trader', entityId: traderId, traderId })
    return { status: 'accepted' as const }
  })
}

/** Mails a client a link that sets their first password; the caller has counted the link. */
export function writeTraderInvite(tx: Tx, ctx: Ctx, trader: TraderRow, { url, expiresAt }: Link): void {
  if (trader.email === null) throw traderErrors.no_email()
  queueMail(tx, ctx, {
    to: trader.email,
    language: pickLanguage(trader.language),
    letter: () => ({
      subject: say('auth.mail.client_access.subject', { firmName: ownName(tx.unowned) }),
      text: say('auth.mail.client_access.text', { firstName: trader.firstName ?? '', url }),
    }),
    recipientRole: null,
    expiresAt,
    link: { traderId: trader.id },
  })
}

/** Mails a client's former address that another address signs in now. */
export function mailAddressChanged(tx: Tx, ctx: Ctx, oldAddress: string, language: string | null): void {
  queueMail(tx, ctx, {
    to: oldAddress,
    language: pickLanguage(language),
    letter: () => ({
      subject: say('auth.mail.email_changed.subject', { firmName: ownName(tx.unowned) }),
      text: say('auth.mail.email_changed.text', { firmName: ownName(tx.unowned) }),
    }),
    recipientRole: null,
    expiresAt: tx.now + NOTICE_LIFE,
    link: null,
  })
}
