import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { KIB } from '../../../platform/bytes.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { supportErrors } from './support.errors.ts'
import { type MessageOut, toMessage } from './support.model.ts'
import { ticketMessages } from './support.table.ts'

/** How much a side may write in a ticket: the client forty pages, staff twice as many, so one answer shows all. */
export const CLIENT_MOST = { messages: 200, characters: 128 * KIB }
export const STAFF_MOST = { messages: 2 * CLIENT_MOST.messages, characters: 2 * CLIENT_MOST.characters }

const WRITTEN = statement(
  sql`SELECT ${listed({
    messages: sql`count(*)`,
    characters: sql`coalesce(sum(length(${ticketMessages.body})), 0)`,
  })} FROM ${ticketMessages}
  WHERE ${ticketMessages.tenantId} = ?1 AND ${ticketMessages.ticketId} = ?2
    AND (${ticketMessages.authorKind} = 'trader') = ?3`,
)

/** Throws the 409 if this side may not write more into the ticket. */
export function refuseFull(tx: Tx, ticketId: string, isClient: boolean, body: string): void {
  const most = isClient ? CLIENT_MOST : STAFF_MOST
  const params = [ticketId, isClient ? 1 : 0]
  const [written] = tx.unowned.query<{ messages: number; characters: number }>(WRITTEN, params)
  if (!written) return
  if (written.messages >= most.messages || written.characters + body.length > most.characters)
    throw supportErrors.full()
}

const OF_TICKET = statement(
  sql` AND ${ticketMessages.ticketId} = ? AND (? OR ${ticketMessages.internal} = 0)
    ORDER BY ${ticketMessages.createdAt}, ${ticketMessages.id}`,
)

/** Returns all messages of one ticket, oldest first; its limits keep them small enough for one answer. */
export const readThread = (db: Reader, ticketId: string, forStaff: boolean): Static<typeof MessageOut>[] =>
  db.select(ticketMessages, OF_TICKET, [ticketId, forStaff ? 1 : 0]).map(toMessage)
