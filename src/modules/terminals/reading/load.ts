import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { type ConnectionRow, terminalConnections } from '../connections/connections.table.ts'
import { noteHealth } from '../connections/health.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import type { Session } from '../sessions/session.ts'
import { LOGINS, OVERLAP, readWindows } from './read-deals.ts'

const OF_CONNECTION = sql`${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2
  AND ${terminalLogins.state} = 'there'`
const BEHIND = statement(
  sql`SELECT ${listed({
    id: terminalLogins.id,
    login: terminalLogins.login,
    loadedUntil: terminalLogins.loadedUntil,
  })} FROM ${terminalLogins} WHERE ${OF_CONNECTION} AND ${terminalLogins.loadedUntil} < ?3
  ORDER BY ${terminalLogins.login} LIMIT ${sql.raw(String(LOGINS))}`,
)
const EARLIEST = statement(
  sql`SELECT min(${terminalLogins.loadedUntil}) AS until FROM ${terminalLogins} WHERE ${OF_CONNECTION}`,
)

/** Returns until when the deals of all logins were read by a load; null if there are no logins. */
const findEarliest = (db: Reader, connectionId: string): number | null =>
  db.query<{ until: number | null }>(EARLIEST, [connectionId])[0]?.until ?? null

const LOAD_ANEW = statement(
  sql`UPDATE ${terminalLogins} SET ${bare(terminalLogins.loadedUntil)} = 0
  WHERE ${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2`,
)
/**
 * Begins a load where nothing was loaded yet, or not from the present `since` on. Where that changed since the row was
 * read, the next reading begins it.
 */
export const beginLoad = (ctx: Ctx, { id, since }: ConnectionRow): Promise<void> =>
  ctx.write('terminals.read', (tx) => {
    if (tx.find(terminalConnections, { id })?.since !== since) return
    tx.execute(LOAD_ANEW, [id])
    noteHealth(tx, id, { dealsUntil: since })
  })

/**
 * Reads what lies far back, by a first load or after an outage, of some logins: what they did since `from`, whole, so
 * that most positions are opened and closed in one write. Once no login is behind `goal` any more it returns until when
 * all were read, and before that null. What was loaded is kept in the rows, so that it goes on after a restart.
 */
export async function loadSome(
  ctx: Ctx,
  row: ConnectionRow,
  session: Session,
  { from, goal }: { from: number; goal: number },
): Promise<number | null> {
  const to = ctx.now()
  const behind = ctx.db.query<{ id: string; login: string; loadedUntil: number }>(BEHIND, [row.id, goal])
  if (behind.length === 0) return findEarliest(ctx.db, row.id) ?? to
  const logins = behind.map(({ login }) => login)
  const earliest = Math.min(...behind.map(({ loadedUntil }) => loadedUntil))
  await readWindows(ctx, row, session, { logins, from: Math.max(from, earliest - OVERLAP), to })
  await ctx.write('terminals.read', (tx) => {
    for (const { id } of behind) tx.update(terminalLogins, id, { loadedUntil: to })
    return null
  })
  return null
}
