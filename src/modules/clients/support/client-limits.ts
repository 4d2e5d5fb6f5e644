import { sql } from 'drizzle-orm'
import { KIB } from '../../../platform/bytes.ts'
import { DAY, SECOND } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { supportErrors } from './support.errors.ts'
import { ticketMessages, tickets } from './support.table.ts'

/** These limits keep a client from filling the disk with tickets or text. Staff have no such limits. */
export const MOST_OPEN = 20
export const DAILY_BYTES = 256 * KIB

const WRITTEN = statement(
  sql`SELECT ${listed({
    bytes: sql`coalesce(sum(octet_length(${ticketMessages.body})), 0)`,
    first: sql`min(${ticketMessages.createdAt})`,
  })} FROM ${ticketMessages}
  WHERE ${ticketMessages.tenantId} = ?1 AND ${ticketMessages.traderId} = ?2 AND ${ticketMessages.createdAt} > ?3
    AND ${ticketMessages.authorKind} = 'trader'`,
)

/** Throws the 409 if a client has too many open tickets. */
export function refuseManyOpen(tx: Tx, traderId: string): void {
  const open = tx.unowned.count(tickets, { traderId, status: ['open', 'pending'] })
  if (open >= MOST_OPEN) throw supportErrors.too_many_open()
}

/** Throws the 429 if a client wrote too much within 24 hours. */
export function refuseManyWords(tx: Tx, traderId: string, body: string): void {
  const written = tx.unowned.query<{ bytes: number; first: number | null }>(WRITTEN, [traderId, tx.now - DAY])[0]
  if (!written || written.bytes + Buffer.byteLength(body) <= DAILY_BYTES) return
  const seconds = Math.max(1, Math.ceil(((written.first ?? tx.now) + DAY - tx.now) / SECOND))
  throw supportErrors.too_many_words({ headers: { 'retry-after': String(seconds) } })
}
