import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { addDays, toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { firstSeqAt } from '../../clients/audit/audit.queries.ts'
import { auditEntries as audit } from '../../clients/audit/audit.table.ts'
import { users } from '../../firm/users/users.table.ts'
import type { Activity } from './activity.model.ts'
import { listDays } from './reporting.period.ts'

const DAYS = 7
export const ActivityParams = Type.Object({ now: Type.Integer() })

// acts in a client's session and by a key count for the person behind them; acts of clients do not count
const who = sql`coalesce(${audit.impersonatorId}, ${audit.actorId})`
const DONE = statement(
  sql`SELECT ${listed({
    userId: who,
    action: audit.action,
    count: sql`count(*)`,
    byKey: sql`sum(${audit.actorKind} = 'api_key')`,
    asClient: sql`sum(${audit.impersonatorId} IS NOT NULL)`,
  })} FROM ${audit}
  WHERE ${audit.tenantId} = ?1 AND ${audit.seq} >= ?2 AND ${audit.seq} < ?3 AND ${who} IS NOT NULL
    AND (${audit.actorKind} IN ('user', 'api_key') OR ${audit.impersonatorId} IS NOT NULL)
  GROUP BY ${who}, ${audit.action}`,
)
const NAMES = statement(
  sql`SELECT ${listed({ id: users.id, name: users.displayName })} FROM ${users} WHERE ${users.tenantId} = ?1`,
)
type Done = { userId: string; action: string; count: number; byKey: number; asClient: number }
type User = Activity['users'][number]

/** Reads each user's acts of the last seven days, today included, from the firm's audit log. RULES “Reports”. */
export function readActivity(db: Reader, { now }: Static<typeof ActivityParams>): Activity {
  const { timeZone } = readFirmSettings(db)
  const to = addDays(toDay(now, timeZone), 1)
  const from = addDays(to, -DAYS)
  const days = listDays({ from, to }, timeZone)
  const names = new Map(db.query<{ id: string; name: string }>(NAMES).map(({ id, name }) => [id, name]))
  const found = new Map<string, User>()
  const actions = new Map<string, Map<string, number>>()
  for (const [index, { start, end }] of days.entries()) {
    for (const row of db.query<Done>(DONE, [firstSeqAt(db, start), firstSeqAt(db, end)])) {
      const { userId, action, count } = row
      const empty = { userId, name: names.get(userId) ?? null, total: 0, byKey: 0, asClient: 0, actions: [] }
      const user = found.get(userId) ?? { ...empty, days: days.map(() => 0) }
      found.set(userId, user)
      user.total += count
      user.byKey += row.byKey
      user.asClient += row.asClient
      user.days[index] = (user.days[index] ?? 0) + count
      const counts = actions.get(userId) ?? new Map<string, number>()
      actions.set(userId, counts.set(action, (counts.get(action) ?? 0) + count))
    }
  }
  for (const [userId, user] of found) {
    user.actions = [...(actions.get(userId) ?? [])]
      .map(([action, count]) => ({ action, count }))
      .sort((a, b) => b.count - a.count || (a.action < b.action ? -1 : 1))
  }
  return {
    from,
    to,
    timeZone,
    asOf: toIso(now),
    days: days.map(({ name }) => name),
    dayEdges: [...days.map(({ start }) => start), ...days.slice(-1).map(({ end }) => end)].map(toIso),
    users: [...found.values()].sort((a, b) => b.total - a.total || (a.userId < b.userId ? -1 : 1)),
  }
}
