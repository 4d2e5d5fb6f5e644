import { toIso } from '../clock.ts'
import type { Connection } from '../sqlite.ts'

/**
 * The body of an event, stored once as bytes, which are signed and sent unchanged. src/README “Events and webhooks”.
 */
type Envelope = {
  id: string
  event: string
  createdAt: string
  tenantId: string
  sequence: number
  payload: object
}

const INSERT = `INSERT INTO events (tenant_id, id, sequence, event, body, trader_id, created_at) VALUES (?,?,?,?,?,?,?)`
const LAST = 'SELECT sequence FROM events WHERE tenant_id = ? ORDER BY sequence DESC LIMIT 1'
const KEPT = 'SELECT value FROM job_state WHERE name = ?'
const RAISE = `INSERT INTO job_state (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE
  SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))`

/** The outbox: event rows in the transaction of the change, numbered per tenant without gaps. */
export type Outbox = ReturnType<typeof createOutbox>

/** Facts about a tenant's events in `job_state`, each under its prefix and the tenant's id. */
export const EVENT_STATE = {
  /** A number that the next one is above, stored before old events are removed: numbers never start again. */
  last: 'events.sequence.',
  /** The last number that was removed for good: a reader who wants events after an earlier one has missed some. */
  gone: 'events.gone.',
  /** When a reader of the feed last named `position.updated`, in milliseconds; such events are written for an hour. */
  updatesRead: 'events.updates_read.',
} as const

export function createOutbox(connection: Connection) {
  let heads = new Map<string, number>()
  let released = 0
  return {
    /** Rises whenever events were written, so that a waiting job can compare it with its last value. */
    get released() {
      return released
    },
    head: (tenantId: string): number =>
      heads.get(tenantId) ??
      Math.max(
        connection.get<{ sequence: number }>(LAST, [tenantId])?.sequence ?? 0,
        Number(connection.get<{ value: string }>(KEPT, [EVENT_STATE.last + tenantId])?.value ?? 0),
      ),
    promote: (tenantId: string, sequence: number) => {
      if (heads.get(tenantId) !== sequence) released += 1
      heads.set(tenantId, sequence)
    },
    /** Sets the last number to at least this one, inside the caller's write, so that the next event has a later one. */
    raise: (tenantId: string, sequence: number) => {
      connection.run(RAISE, [EVENT_STATE.last + tenantId, String(sequence)])
      heads.delete(tenantId)
    },
    forget: () => {
      heads = new Map()
    },
    /** Writes one event row. The caller is inside a transaction. */
    append: (event: {
      tenantId: string
      id: string
      sequence: number
      name: string
      at: number
      payload: object
      traderId: string | null
    }) => {
      const envelope: Envelope = {
        id: event.id,
        event: event.name,
        createdAt: toIso(event.at),
        tenantId: event.tenantId,
        sequence: event.sequence,
        payload: event.payload,
      }
      connection.run(INSERT, [
        event.tenantId,
        event.id,
        event.sequence,
        event.name,
        JSON.stringify(envelope),
        event.traderId,
        event.at,
      ])
    },
  }
}
