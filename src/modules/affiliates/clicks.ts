import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { siteOf } from '../../platform/access/networks.ts'
import { DAY } from '../../platform/clock.ts'
import { lookUp } from '../../platform/db/directory.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { randomToken } from '../../platform/ids.ts'
import { affiliateClicks as clicks, affiliateCodes as codes } from './affiliates.table.ts'
import type { ClickIn, ClickOut } from './clicks.model.ts'
import { type Click, keepWaiting } from './clicks.room.ts'

/** New clicks of a firm in one second. Fixed by rules.md “Affiliates”. */
export const MOST_A_SECOND = 200
const WELL_FORMED = /^[A-Za-z0-9_-]{16,64}$/

/**
 * Takes a visit by an affiliate's link and answers at once, the same for a code that is somebody's and for one that is
 * not: what it means is looked up when it is written down, up to a second later.
 */
export function takeClick(ctx: Ctx, host: string | null, input: Static<typeof ClickIn>): Static<typeof ClickOut> {
  const { code, url, referrer = null, utm = null, visitorId: given } = input
  const visitorId = given && WELL_FORMED.test(given) ? given : randomToken(18)
  const from = { host: host ?? '', ip: ctx.ip, site: siteOf(ctx.ip) }
  keepWaiting(ctx.app, { code: code.toLowerCase(), visitorId, url, referrer, utm, ...from })
  return { visitorId }
}

/** The firms in which a code is somebody's now. */
export const FIRMS_OF_CODE = lookUp<{ tenantId: string }>(
  sql`SELECT ${codes.tenantId} AS tenantId FROM ${codes} WHERE ${codes.code} = ? AND ${codes.freedAt} IS NULL LIMIT 2`,
)
const SEEN = statement(
  sql`SELECT 1 AS n FROM ${clicks} WHERE ${clicks.tenantId} = ?1 AND ${clicks.visitorId} = ?2
  AND ${clicks.affiliateId} = ?3 AND ${clicks.createdAt} > ?4 LIMIT 1`,
)

/** Writes visits of one firm down, each visitor once a day for an affiliate; answers how many were new. */
export function writeClicks(tx: Tx, ctx: Ctx, list: readonly Click[]): number {
  let written = 0
  for (const { code, visitorId, url, referrer, utm, ip } of list) {
    const held = tx.find(codes, { code, freedAt: null })
    if (!held) continue
    const { affiliateId } = held
    if (tx.query(SEEN, [visitorId, affiliateId, tx.now - DAY]).length > 0) continue
    const addressHash = ip === null ? null : ctx.secrets.sign('click address', ip)
    tx.insert(clicks, { affiliateId, visitorId, url, referrer, utm, addressHash })
    written += 1
  }
  return written
}
