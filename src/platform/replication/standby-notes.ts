import { type Static, Type } from '@sinclair/typebox'
import { MINUTE, SECOND } from '../clock.ts'
import type { Notes } from './notes.ts'
import type { Store } from './store.ts'

const DIRECTORY = 'standbys'

/** A standby writes its note again at this interval, and removes it at its end. */
export const SHOWN_EVERY = 30 * SECOND
/** A standby whose note has not changed for this long is thought gone. */
const GONE_AFTER = 10 * MINUTE

/** The note with which a standby shows itself at the place that it follows. */
export const StandbyNote = Type.Object({
  host: Type.String(),
  /** The address under which people reach the standby; empty if unknown. */
  url: Type.String(),
  /** The age of what it reads, in seconds; null before it can read. */
  ageSeconds: Type.Union([Type.Integer(), Type.Null()]),
  /** The history that it follows. */
  history: Type.String(),
  seenAt: Type.String(),
})
export type StandbyNote = Static<typeof StandbyNote>

/** Returns the name of a standby's note. */
export const standbyName = (id: string): string => `${DIRECTORY}/${id}.json`

/** Reads the notes of all standbys that were written with the key of this installation, by their names. */
async function readStandbys(store: Pick<Store, 'list'>, notes: Notes): Promise<Map<string, StandbyNote>> {
  const found = new Map<string, StandbyNote>()
  for (const name of await store.list(DIRECTORY)) {
    const note = await notes.read(name, StandbyNote)
    if (note?.proof === 'ours') found.set(name, note.value)
  }
  return found
}

/**
 * Makes a function that looks for standbys at the place, and returns those that are there. A note that was there at the
 * first look counts if its own time says so; from then on it counts for as long as it changes, whatever the clocks say.
 * `steady` is a clock in milliseconds that a change of the wall clock does not move.
 */
export function createStandbyWatch(parts: {
  store: Pick<Store, 'list'>
  notes: Notes
  now: () => number
  steady: () => number
}): () => Promise<StandbyNote[]> {
  const { store, notes, now, steady } = parts
  /** The time of each note as it was written, and when it was last seen to change; never for an old one. */
  let seen = new Map<string, { seenAt: string; changedAt: number }>()
  return async () => {
    const found = await readStandbys(store, notes)
    const before = seen
    seen = new Map(
      [...found].map(([name, { seenAt }]) => {
        const last = before.get(name)
        const isOld = last === undefined && Math.abs(now() - Date.parse(seenAt)) > GONE_AFTER
        const changedAt = last?.seenAt === seenAt ? last.changedAt : isOld ? Number.NEGATIVE_INFINITY : steady()
        return [name, { seenAt, changedAt }]
      }),
    )
    const isThere = (name: string): boolean => steady() - (seen.get(name)?.changedAt ?? 0) <= GONE_AFTER
    return [...found].flatMap(([name, note]) => (isThere(name) ? [note] : []))
  }
}
