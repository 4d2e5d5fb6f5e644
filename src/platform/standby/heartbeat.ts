import { type Static, Type } from '@sinclair/typebox'
import { type BoxFact, noteFact, readFact } from '../db/box-facts.ts'
import type { Connection } from '../sqlite.ts'

const Facts = Type.Object({
  /** The primary's wall clock, in milliseconds. */
  at: Type.Integer(),
  history: Type.String(),
  /** The address under which people reach the primary. */
  url: Type.String(),
  schema: Type.Integer(),
  version: Type.String(),
  /** The answers that wait for the replica. */
  wait: Type.Union([Type.Literal('off'), Type.Literal('money'), Type.Literal('all')]),
})

/** A row that the primary writes again and again, so that a standby knows of when its copy is. */
export type Heartbeat = Static<typeof Facts>

const HEARTBEAT: BoxFact<typeof Facts> = { name: 'heartbeat', shape: Facts }

/** Returns the newest heartbeat in a database; undefined if the primary has written none. */
export const readHeartbeat = (connection: Connection): Heartbeat | undefined => readFact(connection, HEARTBEAT)?.value

/** Writes a heartbeat instead of the last one, inside the caller's write. */
export const noteHeartbeat = (connection: Connection, heartbeat: Heartbeat): void =>
  noteFact(connection, HEARTBEAT, heartbeat, heartbeat.at)
