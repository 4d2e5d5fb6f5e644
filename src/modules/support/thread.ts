import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { KIB } from '../../platform/bytes.ts'
import { toIso } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { MOST_CHARACTERS } from '../../platform/http/page.ts'
import { say } from '../../words/say.ts'
import { supportErrors } from './support.errors.ts'
import { type MessageOut, toMessage } from './support.model.ts'
import { type MessageRow, ticketMessages } from './support.table.ts'

/**
 * What each side may write into one ticket: forty pages are a long conversation, and with
 * what the staff may write, twice that, it stays below what one answer shows.
 */
export const CLIENT_MOST = { messages: 200, characters: 128 * KIB }
export const STAFF_MOST = { messages: 2 * CLIENT_MOST.messages, characters: 2 * CLIENT_MOST.characters }
const SHOWN = CLIENT_MOST.messages + STAFF_MOST.messages
const BATCH = 50

const WRITTEN = statement(
  sql`SELECT ${listed({
    messages: sql`count(*)`,
    characters: sql`coalesce(sum(length(${ticketMessages.body})), 0)`,
  })} FROM ${ticketMessages}
  WHERE ${ticketMessages.tenantId} = ?1 AND ${ticketMessages.ticketId} = ?2
    AND (${ticketMessages.authorKind} = 'trader') = ?3`,
)

/** Throws the 409 of a ticket into which this side has written as much as one ticket takes. */
export function refuseFull(tx: Tx, ticketId: string, isClient: boolean, body: string): void {
  const most = isClient ? CLIENT_MOST : STAFF_MOST
  const params = [ticketId, isClient ? 1 : 0]
  const [written] = tx.unowned.query<{ messages: number; characters: number }>(WRITTEN, params)
  if (!written) return
  if (written.messages >= most.messages || written.characters + body.length > most.characters)
    throw supportErrors.full()
}

const OLDER = statement(
  sql` AND ${ticketMessages.ticketId} = ? AND (? OR ${ticketMessages.internal} = 0)
    AND (${ticketMessages.createdAt}, ${ticketMessages.id}) < (?, ?)
    ORDER BY ${ticketMessages.createdAt} DESC, ${ticketMessages.id} DESC LIMIT ?`,
)

/** A ticket's messages, newest first, a batch at a time: old tickets may be larger than any answer. */
function* newestFirst(db: Reader, ticketId: string, withInternal: boolean): Generator<MessageRow> {
  let before: [number, string] = [Number.MAX_SAFE_INTEGER, '']
  for (;;) {
    const rows = db.select(ticketMessages, OLDER, [ticketId, withInternal ? 1 : 0, ...before, BATCH])
    yield* rows
    const last = rows.at(-1)
    if (rows.length < BATCH || !last) return
    before = [last.createdAt, last.id]
  }
}

/** What stands in the place of messages that an answer has no room for; `newest` is the last of them. */
const leftOut = (newest: MessageRow, count: number, forStaff: boolean): Static<typeof MessageOut> => ({
  id: newest.id,
  authorKind: 'system',
  authorId: null,
  internal: false,
  body: say('support.thread.left_out', { count, forStaff: String(forStaff) }),
  createdAt: toIso(newest.createdAt),
})

/**
 * The messages of one ticket, oldest first. Of a ticket from before there was a limit these
 * are the newest that one answer has room for, and a first line says how many are left out.
 */
export function readThread(db: Reader, ticketId: string, forStaff: boolean): Static<typeof MessageOut>[] {
  const shown: Static<typeof MessageOut>[] = []
  let left = MOST_CHARACTERS
  for (const row of newestFirst(db, ticketId, forStaff)) {
    left -= row.body.length
    if (shown.length > 0 && (left < 0 || shown.length === SHOWN)) {
      const all = db.count(ticketMessages, forStaff ? { ticketId } : { ticketId, internal: false })
      shown.push(leftOut(row, all - shown.length, forStaff))
      break
    }
    shown.push(toMessage(row))
  }
  return shown.reverse()
}
