import { sql } from 'drizzle-orm'
import { HOUR } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import { EVENT_STATE } from '../../../platform/events/outbox.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import { say } from '../../../words/say.ts'
import { KEPT, UPDATES_KEPT } from '../../base/events/events.model.ts'
import { events } from '../../base/events/events.table.ts'
import { places, READ_STATE } from './webhooks.jobs.ts'
import { ANY_ACTIVE, BATCH, deliveries, LAST_POSITION, POSITION, WRITE_STATE } from './webhooks.state.ts'

const OLD_DELIVERIES = statement(
  sql`DELETE FROM ${deliveries} WHERE rowid IN
  (SELECT rowid FROM ${deliveries} WHERE ${deliveries.finishedAt} < ? LIMIT ?)`,
)
const old = sql`${events.createdAt} < ? AND ${events.position} <= ?
  ORDER BY ${events.createdAt}, ${events.position} LIMIT ?`
const OLD_EVENTS = statement(sql`SELECT ${places} FROM ${events} WHERE ${old}`)
const OLD_UPDATES = statement(
  sql`SELECT ${places} FROM ${events} WHERE ${events.event} = 'position.updated' AND ${old}`,
)
const REMOVE = statement(sql`DELETE FROM ${events} WHERE ${events.position} IN (SELECT value FROM json_each(?))`)
const HEAD = statement(sql`SELECT max(${events.sequence}) AS sequence FROM ${events} WHERE ${events.tenantId} = ?`)

type Old = { position: number; tenantId: string; sequence: number }

/**
 * Removes old events. For each tenant it stores the newest number so far and, with `gone`, the last number that was
 * removed for good.
 */
function removeEvents(connection: Connection, old: readonly Old[], gone: boolean): number {
  for (const [tenantId, rows] of Map.groupBy(old, (row) => row.tenantId)) {
    const known = Number(connection.get<{ value: string }>(READ_STATE, [EVENT_STATE.last + tenantId])?.value ?? 0)
    const head = connection.get<{ sequence: number }>(HEAD, [tenantId])?.sequence ?? 0
    // after a restore to an earlier moment the numbers go on above those of the stream of events
    connection.run(WRITE_STATE, [EVENT_STATE.last + tenantId, String(Math.max(known, head))])
    if (!gone) continue
    const last = Math.max(...rows.map(({ sequence }) => sequence))
    connection.run(WRITE_STATE, [EVENT_STATE.gone + tenantId, String(last)])
  }
  return connection.run(REMOVE, [JSON.stringify(old.map(({ position }) => position))])
}

/** Keeps deliveries and delivered events for 30 days, updates of positions for a day; numbering continues. */
export const trimWebhooks = defineJob({
  name: 'webhooks.trim',
  every: HOUR,
  run: async ({ platform, signal }) => {
    const now = platform.clock.now()
    const { connection, writer } = platform
    let removed = 0
    for (;;) {
      const count = await writer.submit(() => {
        // without a subscription, no delivery is made for an event
        const listened = connection.get(ANY_ACTIVE) !== undefined
        const handed = listened
          ? Number(connection.get<{ value: string }>(READ_STATE, [POSITION])?.value ?? 0)
          : (connection.get<{ position: number }>(LAST_POSITION)?.position ?? 0)
        const events = connection.all<Old>(OLD_EVENTS, [now - KEPT, handed, BATCH])
        const updates = connection.all<Old>(OLD_UPDATES, [now - UPDATES_KEPT, handed, BATCH])
        return Math.max(
          connection.run(OLD_DELIVERIES, [now - KEPT, BATCH]),
          removeEvents(connection, events, true),
          removeEvents(connection, updates, false),
        )
      })
      removed += count
      if (count < BATCH || signal.aborted) return removed === 0 ? null : say('jobs.webhook_rows_removed', { removed })
      await Bun.sleep(0)
    }
  },
})
