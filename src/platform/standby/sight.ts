import { say } from '../../words/say.ts'
import { SECOND } from '../clock.ts'
import { countMigrations } from '../db/migrate.ts'
import { Problem } from '../problem.ts'
import { type Connection, createTickReader, openStill, type TickReader } from '../sqlite.ts'
import type { Generation } from './generations.ts'
import type { Standby, StandbySeen } from './standby.ts'

/** What a standby's requests read: the newest copy of the primary's data. */
export type Sight = {
  /** Reads the newest copy; before there is one, an empty database. */
  readonly reader: TickReader
  /** Takes a newer copy if the present one has lasted long enough. Never rejects. */
  freshen(): Promise<void>
  /** Throws a 503 if there is no copy that may be read: it is too old, or another version of the program made it. */
  demandReadable(): void
  /** Returns the age of the copy by this machine's clock; null without one. */
  ageSeconds(): number | null
  /** Returns the moment of the copy by the primary's clock, in milliseconds; null without one. */
  madeAt(): number | null
  /** Returns the file that is read now, which stays until `release`. */
  hold(): { path: string; release(): void }
  /** Returns what the standby says of itself. */
  seen(): StandbySeen
}

/** A copy that is read, and how many children still read its file. */
type Held = { generation: Generation; reader: TickReader; schema: number; holders: number; free(): void }

/** Makes a reader that reads through whichever one is the present one. */
function createDelegate(current: () => TickReader, close: () => void): TickReader {
  return {
    get raw() {
      return current().raw
    },
    all: (sql, params) => current().all(sql, params),
    get: (sql, params) => current().get(sql, params),
    run: (sql, params) => current().run(sql, params),
    exec: (sql) => current().exec(sql),
    refresh: () => current().refresh(),
    recall: (key, read) => current().recall(key, read),
    close,
  }
}

/** Opens a copy to read; `release` is called once neither requests nor children read it any more. */
function openCopy(generation: Generation, release: () => void): Held {
  const reader = createTickReader(openStill(generation.path))
  const one: Held = {
    generation,
    reader,
    schema: countMigrations(reader),
    holders: 1,
    free: () => {
      one.holders -= 1
      if (one.holders === 0) release()
    },
  }
  return one
}

/**
 * Makes the sight of a standby. `empty` is read before the first copy; `schema` is the number of migrations that this
 * program knows, and copies that are older than `maxAgeSeconds` are not read.
 */
export function createSight(parts: {
  standby: Pick<Standby, 'take' | 'seen'>
  empty: () => Connection
  schema: number
  maxAgeSeconds: number
  now: () => number
}): Sight {
  const { standby, empty, schema, maxAgeSeconds, now } = parts
  let held: Held | undefined
  let nothing: TickReader | undefined
  const leave = (): void => {
    held?.reader.close()
    held?.free()
    nothing?.close()
    nothing = undefined
  }
  const current = (): TickReader => {
    if (held) return held.reader
    nothing ??= createTickReader(empty())
    return nothing
  }
  const ageSeconds = (): number | null => {
    const at = held?.generation.heartbeat?.at
    return at === undefined ? null : Math.max(0, Math.round((now() - at) / SECOND))
  }
  return {
    reader: createDelegate(current, leave),
    freshen: async () => {
      const taken = await standby.take()
      if (!taken) return
      if (taken.generation === held?.generation) return taken.release()
      const next = openCopy(taken.generation, taken.release)
      leave()
      held = next
    },
    demandReadable: () => {
      if (held && held.schema !== schema)
        throw new Problem(503, 'standby_upgrade', say('problems.error.standby_upgrade'), [], { 'retry-after': '60' })
      const age = ageSeconds()
      if (age === null || age > maxAgeSeconds)
        throw new Problem(503, 'standby_stale', say('problems.error.standby_stale'), [], { 'retry-after': '5' })
    },
    ageSeconds,
    madeAt: () => held?.generation.heartbeat?.at ?? null,
    seen: standby.seen,
    hold: () => {
      const one = held
      if (!one) return { path: '', release: () => {} }
      one.holders += 1
      return { path: one.generation.path, release: one.free }
    },
  }
}
