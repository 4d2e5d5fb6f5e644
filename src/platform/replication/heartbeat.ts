import { type Static, Type } from '@sinclair/typebox'
import { DAY, MINUTE, SECOND } from '../clock.ts'
import { type BoxFact, noteFact, readFact } from '../db/box-facts.ts'
import type { Connection } from '../sqlite.ts'
import type { ReplicaPlace } from './replica-place.ts'
import { SHOWN_EVERY, type StandbyNote } from './standby-notes.ts'

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

export const HEARTBEAT: BoxFact<typeof Facts> = { name: 'heartbeat', shape: Facts }

/** Returns the newest heartbeat in a database; undefined if the primary has written none. */
export const readHeartbeat = (connection: Connection): Heartbeat | undefined => readFact(connection, HEARTBEAT)?.value

/** Writes a heartbeat instead of the last one, inside the caller's write. */
export const noteHeartbeat = (connection: Connection, heartbeat: Heartbeat): void =>
  noteFact(connection, HEARTBEAT, heartbeat, heartbeat.at)

/** A standby that was there within this time, by the last heartbeat, is expected again. */
export const FOLLOWED_FOR = 10 * MINUTE
/** A standby that was there within this time may have taken over while this server was dead. */
export const STANDBY_COUNTS = 30 * DAY

/** The interval of heartbeats; each one is an object at the place, and a bucket costs money for each. */
const BEATS_EVERY = { file: 2 * SECOND, sftp: 2 * SECOND, s3: 10 * SECOND } satisfies Record<
  ReplicaPlace['kind'],
  number
>

/**
 * Writes heartbeats while a standby is at the place, and looks for standbys, until the signal aborts. Without a standby
 * nothing is written. After a takeover or a restart (`wasFollowed`: there was a standby lately) heartbeats come until
 * the second look, by which the standby has shown itself again. Never rejects: what fails is tried again.
 */
export async function beatForStandbys(
  parts: {
    kind: ReplicaPlace['kind']
    wasFollowed: boolean
    look: () => Promise<readonly StandbyNote[]>
    beat: () => Promise<void>
    steady: () => number
    sleep: (ms: number, signal: AbortSignal) => Promise<void>
  },
  signal: AbortSignal,
): Promise<void> {
  const { kind, wasFollowed, look, beat, steady, sleep } = parts
  let lookedAt = Number.NEGATIVE_INFINITY
  let isFollowed = wasFollowed
  while (!signal.aborted) {
    try {
      if (steady() - lookedAt >= SHOWN_EVERY) {
        const isFirst = lookedAt === Number.NEGATIVE_INFINITY
        lookedAt = steady()
        isFollowed = (await look()).length > 0 || (isFirst && wasFollowed)
      }
      if (isFollowed && !signal.aborted) await beat()
    } catch {
      // who is out of reach shows as the age of the standby's copy
    }
    await sleep(BEATS_EVERY[kind], signal)
  }
}
