import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Static, Type } from '@sinclair/typebox'
import { SECOND, toIso } from '../clock.ts'
import type { Note, Notes } from './notes.ts'

/** The note that names the server which writes to a place. Two at once would make two histories of one firm. */
const LeaseNote = Type.Object({
  /** A random id of the process. */
  holder: Type.String(),
  host: Type.String(),
  url: Type.Optional(Type.String()),
  /** The id of the data directory, so that the next process of the same directory does not have to wait. */
  origin: Type.String(),
  renewedAt: Type.String(),
  /** The number of notes that its holder wrote, so that an older copy of the note is noticed. */
  count: Type.Optional(Type.Integer()),
  /** Its holder has stopped, and writes nothing any more. */
  givenUp: Type.Optional(Type.Boolean()),
  /** Another server may still believe that it holds the place: see `outwait`. */
  waits: Type.Optional(Type.Boolean()),
})
type LeaseNote = Static<typeof LeaseNote>

const NAME = 'lease.json'
/** The holder renews its note at this interval, and is considered gone after this time without a renewal. */
export const RENEW_EVERY = 5 * SECOND
const GONE_AFTER = 20 * SECOND
/**
 * A renewal counts for this long, from the time at which it began. A server that takes the place over waits at least as
 * long, so that two servers never both believe that they hold it. `bun run lease` tries this at random.
 */
const SURE_FOR = 10 * SECOND
/** A takeover fails with this many failed renewals in a row. */
const MOST_FAILURES = 3
/** If two servers see a free place at the same time, the last to write has it; after this time both have written. */
const SETTLES_AFTER = SECOND

/** The holder of a place: the name of its machine, its address (empty if unknown), and its last renewal. */
export type Holder = { host: string; url: string; renewedAt: string }

/** The facts of this process in its notes. */
export type Me = { holder: string; host: string; url: string; origin: string }

/**
 * Returns the id of a directory: the boot of this machine, the file system and the directory on it. A copy of the
 * machine or of the directory has another one; it is empty if the system does not tell.
 */
function readOrigin(dataDir: string): string {
  try {
    const { dev, ino } = statSync(dataDir)
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${dev}:${ino}`
  } catch {
    return ''
  }
}

/** Returns the facts of this process, which has the lock of its data directory. */
export const meIn = (dataDir: string, url: string): Me => ({
  holder: randomBytes(12).toString('hex'),
  host: hostname(),
  url,
  origin: readOrigin(dataDir),
})

/**
 * The result of a renewal. `held`: the note was written again. `taken`: another process holds the place. `claimed`:
 * another history continues the one of this process. `gone`: the note is missing, older, or was not written with the
 * key of the installation. A renewal that is not forced replaces only the note that this process wrote last.
 */
export type Renewal = { kind: 'held' } | { kind: 'taken' | 'claimed'; by: Holder } | { kind: 'gone' }

/**
 * The way a place was taken: it was `free`, since its holder gave it up or was a process of this directory; its holder
 * was `silent`; or its note was `absent`. In the last two cases the new holder has to wait until no other server can
 * believe that it holds the place: see `outwait`.
 */
export type Taken = 'free' | 'silent' | 'absent'

export type Lease = {
  /**
   * Waits until this process holds the place, or `signal` aborts. `onHeld` is called with its present holder. With
   * `isOff` an operator says that no other server runs, and the place is taken at once.
   */
  take(signal: AbortSignal, onHeld: (who: Holder) => void, options?: { isOff?: boolean }): Promise<Taken>
  /** Renews the lease once; rejects if the place is out of reach. `anyway` also replaces a note that is `gone`. */
  renew(options?: { anyway?: boolean }): Promise<Renewal>
  /** Renews until no renewal of the former holder can still count. Returns `held`, or who has the place instead. */
  outwait(signal: AbortSignal): Promise<Renewal>
  /** Called in place of `outwait` if the caller knows that no other server can hold the place. */
  settle(): void
  /** Returns whether the last renewal still counts; while it does, no other server can have taken the place. */
  isSure(): boolean
  /** Gives the place up, so that the next server does not have to wait. */
  release(): Promise<void>
}

const toHolder = ({ host, url = '', renewedAt }: LeaseNote): Holder => ({ host, url, renewedAt })
const buildRenewalKey = (note: LeaseNote): string => `${note.holder} ${note.renewedAt} ${note.count}`

/** Returns what changes with each renewal of the lease at a place; undefined if nobody of the installation holds it. */
export async function readRenewal(notes: Notes): Promise<string | undefined> {
  const note = await notes.read(NAME, LeaseNote)
  return note?.proof === 'ours' && !note.value.givenUp ? buildRenewalKey(note.value) : undefined
}

/** The input of a lease; `steady` is a clock in milliseconds that a change of the wall clock does not move. */
type LeaseParts = {
  notes: Notes
  me: Me
  now: () => number
  steady: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Returns the server whose claim at the place continues the history of this process. */
  claimed: () => Promise<Holder | undefined>
}

/** Returns whether a note is of this process, or of an earlier one of this directory, whose lock this process has. */
function isOwn(me: Me, { holder, origin }: LeaseNote): boolean {
  return holder === me.holder || (me.origin !== '' && origin === me.origin)
}

/** The state of a lease. */
type Kept = {
  readonly parts: LeaseParts
  /** The number of notes that this process wrote. */
  count: number
  /** When the last renewal began that the place has stored. */
  renewedAt: number
  /** Whether another server may still believe that it holds the place. */
  waits: boolean
}

const read = ({ parts: { notes } }: Kept): Promise<Note<LeaseNote> | undefined> => notes.read(NAME, LeaseNote)

async function write(kept: Kept, more: Partial<LeaseNote> = {}): Promise<void> {
  const { parts, waits } = kept
  kept.count += 1
  const note = { ...parts.me, renewedAt: toIso(parts.now()), count: kept.count, ...(waits && { waits }), ...more }
  await parts.notes.write(NAME, note satisfies LeaseNote)
}

/** Writes the note and reads it back, a second later if a signal is given; the renewal counts from `began`. */
async function writeSince(kept: Kept, began: number, signal?: AbortSignal): Promise<Renewal> {
  const { me, sleep } = kept.parts
  await write(kept)
  if (signal) await sleep(SETTLES_AFTER, signal)
  const note = await read(kept)
  if (!note?.value || note.proof === 'strange') return { kind: 'gone' }
  if (note.value.holder !== me.holder) return { kind: 'taken', by: toHolder(note.value) }
  kept.renewedAt = Math.max(kept.renewedAt, began)
  return { kind: 'held' }
}

async function renew(kept: Kept, anyway: boolean): Promise<Renewal> {
  const { me, steady, claimed } = kept.parts
  const began = steady()
  const note = await read(kept)
  // a note that was not written with the key does not take the place, but the files at the place are then checked
  if (note?.value && note.proof === 'ours' && !isOwn(me, note.value)) return { kind: 'taken', by: toHolder(note.value) }
  const by = await claimed()
  if (by) return { kind: 'claimed', by }
  const isMine = note?.proof === 'ours' && note.value.holder === me.holder && note.value.count === kept.count
  if (!isMine && !anyway) return { kind: 'gone' }
  return writeSince(kept, began)
}

async function take(kept: Kept, signal: AbortSignal, onHeld: (who: Holder) => void, isOff: boolean): Promise<Taken> {
  const { me, steady, sleep } = kept.parts
  let seen: string | undefined
  let since = steady()
  while (!signal.aborted) {
    const began = steady()
    const note = (await read(kept))?.value
    const isAlone = note !== undefined && isOwn(me, note)
    const isLeft = isOff || isAlone || note?.givenUp === true
    const isSilent = note !== undefined && buildRenewalKey(note) === seen && steady() - since > GONE_AFTER
    if (!note || isLeft || isSilent) {
      // the note says this before anything can fail, so that the next process or attempt knows it
      kept.waits = !isOff && (!isLeft || note?.waits === true)
      if ((await writeSince(kept, began, isAlone ? undefined : signal)).kind !== 'held') continue
      if (!kept.waits) return 'free'
      return note ? 'silent' : 'absent'
    }
    if (buildRenewalKey(note) !== seen) {
      seen = buildRenewalKey(note)
      since = steady()
      onHeld(toHolder(note))
    }
    await sleep(RENEW_EVERY, signal)
  }
  return 'free'
}

async function outwait(kept: Kept, signal: AbortSignal): Promise<Renewal> {
  const { steady, sleep } = kept.parts
  const until = steady() + SURE_FOR
  for (let failures = 0; ; ) {
    const left = until - steady()
    await sleep(left > 0 ? Math.min(left, RENEW_EVERY) : failures * SECOND, signal)
    try {
      const found = await renew(kept, true)
      if (found.kind !== 'held' || signal.aborted) return found
      failures = 0
      if (left > 0) continue
      kept.waits = false
      return found
    } catch (error) {
      failures += 1
      if (failures === MOST_FAILURES || signal.aborted) throw error
    }
  }
}

/** Makes a lease on the place of these notes. src/README “One writer”. */
export function createLease(parts: LeaseParts): Lease {
  const kept: Kept = { parts, count: 0, renewedAt: Number.NEGATIVE_INFINITY, waits: false }
  return {
    take: (signal, onHeld, { isOff = false } = {}) => take(kept, signal, onHeld, isOff),
    renew: ({ anyway = false } = {}) => renew(kept, anyway),
    outwait: (signal) => outwait(kept, signal),
    settle: () => {
      kept.waits = false
    },
    isSure: () => parts.steady() - kept.renewedAt < SURE_FOR,
    release: async () => {
      kept.renewedAt = Number.NEGATIVE_INFINITY
      if ((await read(kept))?.value?.holder === parts.me.holder) await write(kept, { givenUp: true })
    },
  }
}
