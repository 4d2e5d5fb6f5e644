import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { MIB } from '../../platform/bytes.ts'
import { DAY } from '../../platform/clock.ts'
import { lookUp } from '../../platform/db/directory.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { randomToken } from '../../platform/ids.ts'
import { affiliateClicks as clicks, affiliateCodes as codes, type Utm } from './affiliates.table.ts'
import type { ClickIn, ClickOut } from './clicks.model.ts'

/** A visit that waits to be written down. `host` is the name under which we were called. */
export type Click = {
  code: string
  visitorId: string
  url: string
  referrer: string | null
  utm: Utm | null
  host: string
  ip: string | null
}

/** What waits takes so much memory at most; what comes on top is dropped and counted. */
const MOST_WAITING = 8 * MIB
/** New clicks of a firm in one second. Fixed by rules.md “Affiliates”. */
export const MOST_A_SECOND = 200
const WELL_FORMED = /^[A-Za-z0-9_-]{16,64}$/

type Waiting = { clicks: Click[]; size: number; dropped: number }
const apps = new WeakMap<object, Waiting>()
const waitingOf = (app: object): Waiting => {
  const known = apps.get(app) ?? { clicks: [], size: 0, dropped: 0 }
  apps.set(app, known)
  return known
}

const sizeOf = ({ url, referrer, utm }: Click): number =>
  300 + 2 * (url.length + (referrer?.length ?? 0) + (utm ? JSON.stringify(utm).length : 0))

/**
 * Takes a visit by an affiliate's link and answers at once, the same for a code that is somebody's and for one that is
 * not: what it means is looked up when it is written down, up to a second later.
 */
export function takeClick(ctx: Ctx, host: string | null, input: Static<typeof ClickIn>): Static<typeof ClickOut> {
  const { code, url, referrer = null, utm = null, visitorId: given } = input
  const visitorId = given && WELL_FORMED.test(given) ? given : randomToken(18)
  const click: Click = { code: code.toLowerCase(), visitorId, url, referrer, utm, host: host ?? '', ip: ctx.ip }
  const waiting = waitingOf(ctx.app)
  const size = sizeOf(click)
  if (waiting.size + size > MOST_WAITING) waiting.dropped += 1
  else {
    waiting.clicks.push(click)
    waiting.size += size
  }
  return { visitorId }
}

/** Everything that waits, which then waits no more, and how many were dropped since the last time. */
export function drainClicks(app: object): Pick<Waiting, 'clicks' | 'dropped'> {
  const { clicks: found, dropped } = waitingOf(app)
  apps.delete(app)
  return { clicks: found, dropped }
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
