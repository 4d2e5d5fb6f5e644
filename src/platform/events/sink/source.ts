import type { Connection } from '../../sqlite.ts'

/** An event of the outbox; `position` counts over all firms. */
export type EventRow = {
  position: number
  tenantId: string
  sequence: number
  event: string
  body: string
  createdAt: number
}

/** What this server knows of its events. */
export type Source = {
  firms(): string[]
  /** Returns the last number of a firm. */
  head(tenantId: string): number
  /** Returns the id of the event with a number; null if it is not kept. */
  findId(tenantId: string, sequence: number): string | null
  /** Returns events after a position, in order. */
  read(position: number, limit: number): EventRow[]
  /** Returns the position of the last event. */
  readEnd(): number
  /** Returns the position before the first event of any firm that is not sent. */
  findStart(sent: ReadonlyMap<string, number>): number
  /** Returns how many positions come after one, and when the first of their events was written. */
  measure(position: number): { events: number; since: number | null }
}

const ROWS = `SELECT position, tenant_id AS tenantId, sequence, event, body, created_at AS createdAt FROM events
  WHERE position > ? ORDER BY position LIMIT ?`
const ID = 'SELECT id FROM events WHERE tenant_id = ? AND sequence = ?'
const FIRST = 'SELECT position FROM events WHERE tenant_id = ? AND sequence > ? ORDER BY sequence LIMIT 1'
const LAST = 'SELECT coalesce(max(position), 0) AS position FROM events'
const NEXT = 'SELECT created_at AS createdAt FROM events WHERE position > ? ORDER BY position LIMIT 1'

/** Reads the outbox on a connection; `firms` and `head` say which firms there are, and their last numbers. */
export function createSource(db: Connection, { firms, head }: Pick<Source, 'firms' | 'head'>): Source {
  const readEnd = (): number => db.get<{ position: number }>(LAST)?.position ?? 0
  return {
    firms,
    head,
    findId: (tenantId, sequence) => db.get<{ id: string }>(ID, [tenantId, sequence])?.id ?? null,
    read: (position, limit) => db.all<EventRow>(ROWS, [position, limit]),
    readEnd,
    findStart: (sent) => {
      const firsts = firms().map(
        (tenantId) => db.get<{ position: number }>(FIRST, [tenantId, sent.get(tenantId) ?? 0])?.position,
      )
      return Math.min(readEnd() + 1, ...firsts.filter((first) => first !== undefined)) - 1
    },
    measure: (position) => {
      const next = db.get<{ createdAt: number }>(NEXT, [position])
      return { events: next ? readEnd() - position : 0, since: next?.createdAt ?? null }
    },
  }
}
