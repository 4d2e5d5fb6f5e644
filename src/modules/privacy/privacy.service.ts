import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { KIB } from '../../platform/bytes.ts'
import { HOUR, MINUTE, SECOND } from '../../platform/clock.ts'
import { statement } from '../../platform/db/statement.ts'
import { downloadsOf } from '../../platform/http/downloads.ts'
import { type ZipFile, zip } from '../../platform/http/zip.ts'
import { say } from '../../words/say.ts'
import { auditEntries as audit } from '../audit/audit.table.ts'
import { firmOf } from '../auth/auth.people.ts'
import { files } from '../files/files.table.ts'
import { EXTENSIONS } from '../kyc/kyc.documents.ts'
import { traderErrors } from '../traders/traders.errors.ts'
import { traders } from '../traders/traders.table.ts'
import { bundleOf } from './privacy.bundle.ts'
import { privacyErrors } from './privacy.errors.ts'

const ACTION = 'trader.privacy_bundle'
/** Bundles of one client are at least this far apart. Fixed by RULES “Privacy bundle”. */
const APART = HOUR
/** What is held beside the one file that is on its way: rows that were read, and what is being packed. */
const BESIDE = 512 * KIB

// How many bundles a firm made is a number that grows slowly; the index by action walks just those.
const LAST = statement(
  sql`SELECT ${audit.at} AS at FROM ${audit} INDEXED BY audit_action
  WHERE ${audit.tenantId} = ?1 AND ${audit.action} = ?2 AND ${audit.traderId} = ?3 ORDER BY ${audit.seq} DESC LIMIT 1`,
)

/** Writes down that a bundle is made; throws the 429 where the last one is not an hour old. */
const noteBundle = (ctx: Ctx, traderId: string, papers: number): Promise<void> =>
  ctx.write(ACTION, (tx) => {
    const last = tx.query<{ at: number }>(LAST, [ACTION, traderId])[0]?.at
    const wait = last === undefined ? 0 : last + APART - tx.now
    if (wait > 0)
      throw privacyErrors.too_soon({
        detail: say('privacy.error.tooSoon', { minutes: Math.ceil(wait / MINUTE) }),
        headers: { 'retry-after': String(Math.ceil(wait / SECOND)) },
      })
    tx.audit({ entity: 'trader', entityId: traderId, traderId, after: { files: papers } })
  })

/**
 * Everything that is held on one client, as one archive that is made while it is fetched: `bundle.json`, and `files/`
 * as they were uploaded. Audited before a byte leaves. 403 for keys, 409 where the person was erased, 429 within an
 * hour after the last one. RULES “Privacy bundle”.
 */
export async function sendBundle(ctx: Ctx, traderId: string): Promise<Response> {
  if (ctx.principal.kind !== 'user') throw privacyErrors.not_by_key()
  const { erasedAt } = ctx.db.get(traders, traderId, { withDeleted: true })
  if (erasedAt !== null) throw traderErrors.erased()
  const papers = ctx.db.list(files, { traderId }).filter(({ sha256 }) => sha256 !== null)
  const largest = Math.max(0, ...papers.map(({ size }) => size))
  const made = { at: ctx.now(), firm: firmOf(ctx) }
  /** Who lost their session or role while this goes on gets no more of it. */
  const checked = function* <T>(items: Iterable<T>): Generator<T> {
    for (const item of items) {
      if (!ctx.stillHolds()) throw new Error('the session that asked for the bundle is over')
      yield item
    }
  }
  const contents: ZipFile[] = [
    { name: 'bundle.json', texts: checked(bundleOf(ctx.db, traderId, made)) },
    ...papers.map(({ id, contentType }) => ({
      name: `files/${id}.${EXTENSIONS[contentType] ?? 'bin'}`,
      bytes: () => ctx.blobs.get(id),
    })),
  ]
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="client-${traderId.slice(-8)}.zip"`,
    'x-content-type-options': 'nosniff',
  }
  // first: who finds no room for it has not had one
  const answer = downloadsOf(ctx).sendPieces(ctx, largest + BESIDE, headers, zip(checked(contents)))
  try {
    await noteBundle(ctx, traderId, papers.length)
  } catch (error) {
    await answer.body?.cancel()
    throw error
  }
  return answer
}
