import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { sha256Hex } from '../../../platform/secrets.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { INVITE_HOURS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { voidLinks } from './auth.own-account.ts'
import type { Link, Owner } from './auth.owners.ts'
import { type OneTimeLinkRow, oneTimeLinks } from './auth.table.ts'
import { slowDown } from './auth.throttle.ts'

/** A mailed link is valid for this long. RULES “Sign-in”. */
const LIFE = { invite: INVITE_HOURS * HOUR, reset: HOUR } as const
/** A link that expires sooner than this is not mailed again. */
const WORTH_SENDING = 10 * MINUTE
const MOST_AN_HOUR = 3

/** Returns how long a link is still valid, in whole hours and in whole minutes; a sentence shows one of them. */
export const timeLeft = (ms: number): { hours: number; minutes: number } => ({
  hours: Math.floor(ms / HOUR),
  minutes: Math.floor(ms / MINUTE),
})

const sealContext = (tenantId: string, id: string): string => `link:${tenantId}:${id}`
const buildLinkUrl = (ctx: Ctx, purpose: OneTimeLinkRow['purpose'], token: string): string =>
  `${ctx.config.publicUrl}/admin/${purpose === 'invite' ? 'accept-invite' : 'reset'}?token=${token}`

/** Makes a one-time link; the account's older links of the same purpose are void. */
export function newLink(tx: Tx, ctx: Ctx, owner: Owner, purpose: OneTimeLinkRow['purpose']): Link {
  voidLinks(tx, owner, purpose)
  const id = ctx.ids.next('otl')
  const text = randomToken(32)
  const expiresAt = tx.now + LIFE[purpose]
  const token = ctx.secrets.seal(text, sealContext(ctx.tenantId, id))
  tx.insert(oneTimeLinks, { id, ...owner, purpose, tokenHash: sha256Hex(text), token, expiresAt })
  return { url: buildLinkUrl(ctx, purpose, text), expiresAt }
}

/** Returns whether a mailed link was neither used nor replaced. Its end is not checked here. */
export const isGoodLink = (db: Reader, token: string): boolean =>
  db.find(oneTimeLinks, { tokenHash: sha256Hex(token) }) !== undefined

/** Returns the account's valid link or a new one, so that repeated requests do not void links in earlier mails. */
export function goodLink(tx: Tx, ctx: Ctx, owner: Owner, purpose: OneTimeLinkRow['purpose']): Link {
  for (const { id, token, expiresAt } of tx.list(oneTimeLinks, { ...owner, purpose })) {
    if (token === null || expiresAt - tx.now < WORTH_SENDING) continue
    return { url: buildLinkUrl(ctx, purpose, ctx.secrets.openText(token, sealContext(ctx.tenantId, id))), expiresAt }
  }
  return newLink(tx, ctx, owner, purpose)
}

const SENT =
  'SELECT sent_at AS sentAt FROM link_mails WHERE tenant_id = ?1 AND recipient = ?2 AND sent_at > ?3 ORDER BY sent_at'
const NOTE = 'INSERT INTO link_mails (tenant_id, recipient, sent_at) VALUES (?1, ?2, ?3)'

const hashRecipient = (ctx: Ctx, recipient: string): string => ctx.secrets.sign('link recipient', foldEmail(recipient))

/** Returns the milliseconds until a link may be mailed to an address again: it gets three an hour from a firm. */
export function linkWait(tx: Tx, ctx: Ctx, recipient: string): number {
  const sent = tx.unowned.query<{ sentAt: number }>(SENT, [hashRecipient(ctx, recipient), tx.now - HOUR])
  const third = sent.at(-MOST_AN_HOUR)
  return third === undefined ? 0 : third.sentAt + HOUR - tx.now
}

/** Counts a link mailed to an address. */
export const noteLinkMail = (tx: Tx, ctx: Ctx, recipient: string): void =>
  void tx.execute(NOTE, [hashRecipient(ctx, recipient), tx.now])

/** Counts a link that staff mail to an address; the fourth within an hour is a 429. */
export function takeLinkMail(tx: Tx, ctx: Ctx, recipient: string): void {
  const wait = linkWait(tx, ctx, recipient)
  if (wait > 0) throw slowDown(wait, say('auth.error.links_slow_down'))
  noteLinkMail(tx, ctx, recipient)
}
