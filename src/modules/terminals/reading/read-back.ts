import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { toDay, toInstant } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import type { Session } from '../sessions/session.ts'
import { readWhole } from './read-deals.ts'

/** So far back the deals of logins are read again by night: longer than the month whose commissions are still open. */
const BACK = 45 * DAY
/** From this hour of the firm on, for so long. */
const FROM = '01:00'
const LASTS = 2 * HOUR
/** So many logins are read between two ordinary readings, which wait that long. */
const PIECE = 50

/** Returns since when it is night for a firm; null while it is not. */
function findNight(now: number, timeZone: string): number | null {
  const from = toInstant(Date.parse(`${toDay(now, timeZone)}T${FROM}:00Z`), timeZone)
  return now >= from && now < from + LASTS ? from : null
}

const DUE = statement(
  sql`SELECT ${listed({ id: terminalLogins.id, login: terminalLogins.login })} FROM ${terminalLogins}
  WHERE ${terminalLogins.tenantId} = ?1 AND ${terminalLogins.connectionId} = ?2 AND ${terminalLogins.state} = 'there'
    AND ${terminalLogins.deepReadAt} < ?3
  ORDER BY ${terminalLogins.deepReadAt}, ${terminalLogins.login} LIMIT ${sql.raw(String(PIECE))}`,
)
const listDue = (db: Reader, connectionId: string, night: number) =>
  db.query<{ id: string; login: string }>(DUE, [connectionId, night])

/**
 * By night, reads the deals of the last weeks of some logins again: those that were not looked at for longest, each
 * once a night. What was read is kept in the rows, so that it goes on after a restart. RULES “Reading a terminal”.
 */
export async function readBack(ctx: Ctx, row: ConnectionRow, session: Session): Promise<void> {
  const now = ctx.now()
  const night = findNight(now, readFirmSettings(ctx.db).timeZone)
  if (night === null) return
  const due = listDue(ctx.db, row.id, night)
  if (due.length === 0) return
  const logins = due.map(({ login }) => login)
  await readWhole(ctx, row, session, logins, Math.max(row.since, now - BACK))
  await ctx.write('terminals.read', (tx) => {
    for (const { id } of due) tx.update(terminalLogins, id, { deepReadAt: now })
    return null
  })
}
