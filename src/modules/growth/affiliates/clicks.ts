import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { toSite } from '../../../platform/access/networks.ts'
import { DAY } from '../../../platform/clock.ts'
import { lookUp, ofActiveTenant } from '../../../platform/db/directory.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { randomToken } from '../../../platform/ids.ts'
import { affiliates, affiliateClicks as clicks, affiliateCodes as codes, type Utm } from './affiliates.table.ts'
import { type Click, keepWaiting } from './clicks.buffer.ts'
import { takesOneMore } from './clicks.daily-share.ts'
import type { ClickIn, ClickOut } from './clicks.model.ts'

/** A firm stores this many new clicks a second. RULES “Affiliates”. */
export const MOST_A_SECOND = 200
const WELL_FORMED = /^[A-Za-z0-9_-]{16,64}$/
/** A text that cannot be a code is not looked up. */
const CODE = /^[a-z0-9_-]{3,32}$/
/** Only http addresses are stored: they are shown as links, and none of these may be a script. */
const WEB = /^https?:\/\//i
/** At most this many bytes of a text are stored. */
const STORED = 200

/** Returns the beginning of a text, in whole characters, that is stored. */
function short(text: string): string {
  if (text.length * 3 <= STORED) return text
  const bytes = new Uint8Array(STORED)
  const { written } = new TextEncoder().encodeInto(text, bytes)
  return new TextDecoder().decode(bytes.subarray(0, written))
}
const address = (text: string | null | undefined): string | null => (text && WEB.test(text) ? short(text) : null)
const marks = ({ source, medium, campaign, term, content }: NonNullable<Static<typeof ClickIn>['utm']>): Utm => ({
  ...(source && { source: short(source) }),
  ...(medium && { medium: short(medium) }),
  ...(campaign && { campaign: short(campaign) }),
  ...(term && { term: short(term) }),
  ...(content && { content: short(content) }),
})

/**
 * Takes a click and answers at once, the same for known and unknown codes: the code is looked up when the click is
 * stored, up to a second later.
 */
export function takeClick(ctx: Ctx, host: string | null, input: Static<typeof ClickIn>): Static<typeof ClickOut> {
  const { url, referrer, utm, visitorId: given } = input
  const code = input.code.toLowerCase()
  const visitorId = given && WELL_FORMED.test(given) ? given : randomToken(18)
  const told = { url: address(url), referrer: address(referrer), utm: utm ? marks(utm) : null }
  const called = (host ?? '').toLowerCase().replace(/:\d+$/, '')
  const from = { host: called, firm: input.firm ?? null, ip: ctx.ip, site: toSite(ctx.ip) }
  const click: Click = { code, visitorId, ...told, ...from }
  if (CODE.test(code)) keepWaiting(ctx.app, click)
  return { visitorId }
}

/**
 * Finds the active firms in which an active affiliate has a code; an affiliate that is not active cannot take another
 * firm's clicks.
 */
export const FIRMS_OF_CODE = lookUp<{ tenantId: string }>(
  sql`SELECT ${codes.tenantId} AS tenantId FROM ${codes} ${ofActiveTenant(codes.tenantId)}
  JOIN ${affiliates} ON ${affiliates.tenantId} = ${codes.tenantId} AND ${affiliates.id} = ${codes.affiliateId}
  WHERE ${codes.code} = ? AND ${codes.freedAt} IS NULL AND ${affiliates.status} = 'active' LIMIT 2`,
)

const SEEN = statement(
  sql`SELECT 1 AS n FROM ${clicks} WHERE ${clicks.tenantId} = ?1 AND ${clicks.visitorId} = ?2
  AND ${clicks.affiliateId} = ?3 AND ${clicks.createdAt} > ?4 LIMIT 1`,
)

/**
 * Stores clicks of one firm: one a day for a visitor and an affiliate, and each affiliate's daily number at most.
 * Returns how many above that number were dropped.
 */
export function writeClicks(tx: Tx, ctx: Ctx, list: readonly Click[]): number {
  let dropped = 0
  for (const { code, visitorId, url, referrer, utm, ip, site } of list) {
    const held = tx.find(codes, { code, freedAt: null })
    if (!held) continue
    const { affiliateId } = held
    if (tx.query(SEEN, [visitorId, affiliateId, tx.now - DAY]).length > 0) continue
    if (!takesOneMore(ctx.app, tx, affiliateId, site)) {
      dropped += 1
      continue
    }
    const addressHash = ip === null ? null : ctx.secrets.sign('click address', ip)
    tx.insert(clicks, { affiliateId, visitorId, url, referrer, utm, addressHash })
  }
  return dropped
}
