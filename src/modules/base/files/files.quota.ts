import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { GIB, MIB } from '../../../platform/bytes.ts'
import { SECOND } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { fileErrors } from './files.errors.ts'
import { files } from './files.table.ts'

/** `open` limits uploads that are not attached to a record yet; `total` limits all files, attached or not. */
type Quota = { open: number; openBytes: number; total: number }

/**
 * Enough for a passport, both sides of a card, an address and a selfie at once, four of them of the largest size; the
 * documents of a usual client are some 20 MiB in years.
 */
export const CLIENT_QUOTA: Quota = { open: 5, openBytes: 60 * MIB, total: 200 * MIB }
/** Applies where staff file a client’s documents, so that the client's own open uploads leave room for them. */
export const FILING_QUOTA: Quota = {
  open: 2 * CLIENT_QUOTA.open,
  openBytes: 2 * CLIENT_QUOTA.openBytes,
  total: CLIENT_QUOTA.total,
}
/** Enough for a hundred clients and some staff in 15 minutes, and for 10,000 clients with 5 MiB of documents each. */
export const FIRM_QUOTA: Quota = { open: 1000, openBytes: 4 * GIB, total: 50 * GIB }
/** Clients together may use this part of the firm's quota, so that room for the staff remains. */
export const CLIENTS_SHARE: Quota = {
  open: FIRM_QUOTA.open / 2,
  openBytes: FIRM_QUOTA.openBytes / 2,
  total: FIRM_QUOTA.total * 0.9,
}

// an upload that expired without bytes takes no room; bytes that arrived take room until the purge
const OPEN = statement(
  sql`SELECT ${listed({
    n: sql`count(*)`,
    bytes: sql`coalesce(sum(${files.size}), 0)`,
    soonest: sql`min(${files.expiresAt})`,
  })} FROM ${files}
  WHERE ${files.tenantId} = ?1 AND (?2 IS NULL OR ${files.traderId} = ?2)
    AND ${files.status} <> 'attached' AND (${files.status} = 'uploaded' OR ${files.expiresAt} > ?3)`,
)
const TOTAL = 'SELECT bytes FROM file_usage WHERE tenant_id = ?1 AND trader_id = ?2'

/** Throws the 429 or 409 if the client or the firm has no room for this upload. */
export function refuseOverQuota(ctx: Ctx, tx: Tx, traderId: string | null, size: number): void {
  const [client, firm] = ctx.principal.kind === 'trader' ? [CLIENT_QUOTA, CLIENTS_SHARE] : [FILING_QUOTA, FIRM_QUOTA]
  const db = tx.unowned
  const refuseOpen = (owner: string | null, quota: Quota) => {
    const [open] = db.query<{ n: number; bytes: number; soonest: number | null }>(OPEN, [owner, tx.now])
    if (!open || (open.n < quota.open && open.bytes + size <= quota.openBytes)) return
    const seconds = Math.max(1, Math.ceil(((open.soonest ?? tx.now) - tx.now) / SECOND))
    throw fileErrors.too_many_open({ headers: { 'retry-after': String(seconds) } })
  }
  const used = (owner: string): number => db.query<{ bytes: number }>(TOTAL, [owner])[0]?.bytes ?? 0
  if (traderId !== null) {
    if (used(traderId) + size > client.total) throw fileErrors.client_full()
    refuseOpen(traderId, client)
  }
  if (used('') + size > firm.total) throw fileErrors.firm_full()
  refuseOpen(null, firm)
}
