import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { say } from '../../../words/say.ts'
import { files } from '../../base/files/files.table.ts'
import { auditEntries as audit } from '../../clients/audit/audit.table.ts'
import { traderErrors } from '../../clients/traders/traders.errors.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { readFirmName } from '../../firm/auth/auth.own-account.ts'
import { sendArchive } from './privacy.archive.ts'
import { buildBundle } from './privacy.bundle.ts'
import { privacyErrors } from './privacy.errors.ts'

const ACTION = 'trader.privacy_bundle'
/** The least time between two bundles of one client. RULES “Privacy bundle”. */
const APART = HOUR

// a firm makes few bundles, and the index by action reads only their entries
const LAST = statement(
  sql`SELECT ${audit.at} AS at FROM ${audit} INDEXED BY audit_action
  WHERE ${audit.tenantId} = ?1 AND ${audit.action} = ?2 AND ${audit.traderId} = ?3 ORDER BY ${audit.seq} DESC LIMIT 1`,
)

/** Stores that a bundle is being made; throws the 429 if the last one was made within an hour. */
const noteBundle = (ctx: Ctx, traderId: string, papers: number): Promise<void> =>
  ctx.write(ACTION, (tx) => {
    const last = tx.query<{ at: number }>(LAST, [ACTION, traderId])[0]?.at
    const wait = last === undefined ? 0 : last + APART - tx.now
    if (wait > 0)
      throw privacyErrors.too_soon({
        detail: say('privacy.error.too_soon', { minutes: Math.ceil(wait / MINUTE) }),
        headers: { 'retry-after': String(Math.ceil(wait / SECOND)) },
      })
    tx.audit({ entity: 'trader', entityId: traderId, traderId, after: { files: papers } })
  })

/**
 * Sends all data about one client as an archive that is made while it is sent: `bundle.json`, and `files/` as uploaded.
 * It is audited before the first byte. 403 for keys, 409 if the person was erased, 429 within an hour of the last one.
 * RULES “Privacy bundle”.
 */
export async function sendBundle(ctx: Ctx, traderId: string): Promise<Response> {
  if (ctx.principal.kind !== 'user') throw privacyErrors.not_by_key()
  const { erasedAt } = ctx.db.get(traders, traderId, { withDeleted: true })
  if (erasedAt !== null) throw traderErrors.erased()
  const papers = ctx.db.list(files, { traderId }).filter(({ sha256 }) => sha256 !== null)
  const texts = buildBundle(ctx.db, traderId, { at: ctx.now(), firm: readFirmName(ctx) })
  return sendArchive(ctx, `client-${traderId.slice(-8)}`, { texts, papers }, () =>
    noteBundle(ctx, traderId, papers.length),
  )
}
