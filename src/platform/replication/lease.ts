import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { type Static, Type } from '@sinclair/typebox'
import { SECOND, toIso } from '../clock.ts'
import type { Note, Notes } from './notes.ts'

/** Who writes to a place now. Two at once would be two histories of one firm. */
const LeaseNote = Type.Object({
  /** Another one for each process. */
  holder: Type.String(),
  host: Type.String(),
  url: Type.Optional(Type.String()),
  /** Says where the data directory is, so that the next process of the same one need not wait. */
  origin: Type.String(),
  renewedAt: Type.String(),
  /** Counts what its holder wrote, so that an older copy of the note is seen to be one. */
  count: Type.Optional(Type.Integer()),
  /** Its holder ended in order and writes nothing any more. */
  givenUp: Type.Optional(Type.Boolean()),
  /** Its holder may not be the only one yet who believes to hold the place: see `outwait`. */
  waits: Type.Optional(Type.Boolean()),
})
type LeaseNote = Static<typeof LeaseNote>

const NAME = 'lease.json'
/** The holder says this often that it is there, and is thought gone after this long without a word. */
export const RENEW_EVERY = 5 * SECOND
const GONE_AFTER = 20 * SECOND
/**
 * A renewal counts for so long, from the moment at which it began. Whoever takes the place over has waited for longer,
 * so that two servers never both believe that it is theirs. Walked by `bun run lease`.
 */
const SURE_FOR = 10 * SECOND
/** So many renewals in a row may fail while a place is taken over. */
const MOST_FAILURES = 3
/** Of two that saw it free at the same moment, the one that wrote last has it; so much later both have written. */
const SETTLES_AFTER = SECOND

/** Who holds a place: the name of the machine, its address where that is known, and when it last said so. */
export type Holder = { host: string; url: string; renewedAt: string }

/** This process, as its notes name it. */
export type Me = { holder: string; host: string; url: string; origin: string }

/**
 * Where a directory is: this start of this machine, the file system and the directory on it. A copy of the machine or
 * of the directory has another one; empty where the system does not tell.
 */
function readOrigin(dataDir: string): string {
  try {
    const { dev, ino } = statSync(dataDir)
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${dev}:${ino}`
  } catch {
    return ''
  }
}

/** This process over a data directory, whose lock it has. */
export const meIn = (dataDir: string, url: string): Me => ({
  holder: randomBytes(12).toString('hex'),
  host: hostname(),
  url,
  origin: readOrigin(dataDir),
})

/**
 * What a renewal found: `held` and written anew; another one's (`taken`); a history that went on from this one's
 * (`claimed`); or not as this process left it (`gone`): no note, an older one, or one that nobody with the key of the
 * installation wrote. But for the first, nothing was written.
 */
export type Renewal = { kind: 'held' } | { kind: 'taken' | 'claimed'; by: Holder } | { kind: 'gone' }

/**
 * How a place was taken: `free`, since it was given up in order or left by a process of this directory; or after its
 * holder was silent. Whoever holds it after a silence, or finds no note where there should be one, has to wait until
 * nobody can believe any more that they hold it: see `outwait`.
 */
export type Taken = 'free' | 'silent' | 'absent'

export type Lease = {
  /** Waits until this process holds the place. `onHeld` hears who holds it meanwhile. Ends with `signal`. */
  take(signal: AbortSignal, onHeld: (who: Holder) => void): Promise<Taken>
  /** Renews it once; rejects where the place is out of reach. `anyway` writes it where it is gone. */
  renew(options?: { anyway?: boolean }): Promise<Renewal>
  /**
   * Renews until every renewal of whoever held the place before has ended to count. Answers what stands in the way.
   */
  outwait(signal: AbortSignal): Promise<Renewal>
  /** Nobody else can hold the place, for reasons that the caller knows: `outwait` is not needed. */
  settle(): void
  /** Whether the last renewal still counts: until then nobody else can have taken the place. */
  isSure(): boolean
  /** Gives it up, so that the next server need not wait. */
  release(): Promise<void>
}

const toHolder = ({ host, url = '', renewedAt }: LeaseNote): Holder => ({ host, url, renewedAt })
const buildRenewalKey = (note: LeaseNote): string => `${note.holder} ${note.renewedAt} ${note.count}`

/** What a lease needs of the world; `steady` is the clock that measures, which no step of the wall clock moves. */
type LeaseParts = {
  notes: Notes
  me: Me
  now: () => number
  steady: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Who went on from the history of this process, as the claims of the place say now. */
  claimed: () => Promise<Holder | undefined>
}

/** What of a note was written by this process, or by one of the same directory, whose lock this one has now. */
function isOwn(me: Me, { holder, origin }: LeaseNote): boolean {
  return holder === me.holder || (me.origin !== '' && origin === me.origin)
}

/** The lease of a process as it stands. */
type Kept = {
  readonly parts: LeaseParts
  /** How often this process wrote its note. */
  count: number
  /** When the last renewal began that the place kept. */
  renewedAt: number
  /** Whether it may not be the only one yet who believes to hold the place. */
  waits: boolean
}

const read = ({ parts: { notes } }: Kept): Promise<Note<LeaseNote> | undefined> => notes.read(NAME, LeaseNote)

async function write(kept: Kept, more: Partial<LeaseNote> = {}): Promise<void> {
  const { parts, waits } = kept
  kept.count += 1
  const note = { ...parts.me, renewedAt: toIso(parts.now()), count: kept.count, ...(waits && { waits }), ...more }
  await parts.notes.write(NAME, note satisfies LeaseNote)
}

/** Writes it and reads it back, a while later where a signal is given; it counts from the moment `began`. */
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
  // a note that is nobody's who has the key takes nothing away; what lies there is looked at all the same
  if (note?.value && note.proof === 'ours' && !isOwn(me, note.value)) return { kind: 'taken', by: toHolder(note.value) }
  const by = await claimed()
  if (by) return { kind: 'claimed', by }
  const isMine = note?.proof === 'ours' && note.value.holder === me.holder && note.value.count === kept.count
  if (!isMine && !anyway) return { kind: 'gone' }
  return writeSince(kept, began)
}

async function take(kept: Kept, signal: AbortSignal, onHeld: (who: Holder) => void): Promise<Taken> {
  const { me, steady, sleep } = kept.parts
  let seen: string | undefined
  let since = steady()
  while (!signal.aborted) {
    const began = steady()
    const note = (await read(kept))?.value
    const isAlone = note !== undefined && isOwn(me, note)
    const isLeft = isAlone || note?.givenUp === true
    const isSilent = note !== undefined && buildRenewalKey(note) === seen && steady() - since > GONE_AFTER
    if (!note || isLeft || isSilent) {
      // it is in the note, for the next process or the next try, before anything can go wrong
      kept.waits = !isLeft || note?.waits === true
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

/** A lease on the place of these notes. src/README “One writer”. */
export function createLease(parts: LeaseParts): Lease {
  const kept: Kept = { parts, count: 0, renewedAt: Number.NEGATIVE_INFINITY, waits: false }
  return {
    take: (signal, onHeld) => take(kept, signal, onHeld),
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
