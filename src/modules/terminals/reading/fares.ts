import { sql } from 'drizzle-orm'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import { terminalConnections as connections, HEALTH, terminalHealth } from '../connections/connections.table.ts'
import { isOutage } from '../connections/health.ts'
import { terminalFindings } from '../findings/findings.table.ts'

const period = (of: 'deals' | 'positions' | 'accounts') => sql`${connections.readEvery} ->> ${sql.raw(`'$.${of}'`)}`
const ALL = statement(
  sql`SELECT ${listed({
    name: connections.name,
    state: sql`iif(${connections.paused}, 'paused', coalesce(${terminalHealth.state}, 'connecting'))`,
    readAt: sql`coalesce(${terminalHealth.lastReadAt}, ${connections.createdAt})`,
    period: sql`max(${period('deals')}, ${period('positions')}, ${period('accounts')})`,
  })} FROM ${connections} ${ofActiveTenant(connections.tenantId)}
  LEFT JOIN ${terminalHealth} ON ${terminalHealth.tenantId} = ${connections.tenantId}
    AND ${terminalHealth.id} = ${connections.id}
  WHERE ${connections.deletedAt} IS NULL`,
)
const OPEN = statement(sql`SELECT count(*) AS "open" FROM ${terminalFindings} WHERE ${terminalFindings.state} = 'open'`)

const STATES = [...HEALTH, 'paused'] as const
/** How a connection to a trading server fares; one that was never read counts from when it was made. */
type Fare = { name: string; state: (typeof STATES)[number]; silent: number; isLate: boolean }

/** Reads how the connections of all firms fare. */
export const readFares = (db: Connection, now: number): Fare[] =>
  db
    .all<{ name: string; state: Fare['state']; readAt: number; period: number }>(ALL)
    .map(({ name, state, readAt, period: seconds }) => ({
      name,
      state,
      silent: Math.max(0, now - readAt),
      isLate: isOutage({ period: seconds * SECOND, lastReadAt: readAt }, now),
    }))

/** Registers how connections to trading servers fare, and how much does not fit. */
export function watchTerminals(metrics: Metrics, db: Connection, clock: Clock): void {
  metrics.add({
    name: 'terminal_connections',
    help: 'Connections to trading servers by state.',
    type: 'gauge',
    collect: () => {
      const fares = readFares(db, clock.now())
      return STATES.map((state) => ({ labels: { state }, value: fares.filter((one) => one.state === state).length }))
    },
  })
  metrics.gauge(
    'terminal_lag_seconds',
    'The longest time since one that is not paused was read; 0 without one.',
    () => {
      const read = readFares(db, clock.now()).filter(({ state }) => state !== 'paused')
      return Math.max(0, ...read.map(({ silent }) => silent)) / SECOND
    },
  )
  metrics.gauge(
    'terminal_findings_open',
    'Findings of trading servers that nobody has closed.',
    () => db.get<{ open: number }>(OPEN)?.open ?? 0,
  )
}
