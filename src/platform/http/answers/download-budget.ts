import { say } from '../../../words/say.ts'
import type { Ctx } from '../../access/ctx.ts'
import { findPersonId, isClient } from '../../access/principal.ts'
import { MIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'

export type Shares = Readonly<Record<'staff' | 'trader', { person: number; firm: number }>>

/** The bytes that may wait to be read: for one person, and for all staff or all clients of a firm. */
export const SHARES: Shares = {
  staff: { person: 48 * MIB, firm: 96 * MIB },
  trader: { person: 16 * MIB, firm: 64 * MIB },
}
export const TOTAL = 256 * MIB
/** At most this many files are made while they are read, since making them takes time from all requests. */
const MAKING: Shares = {
  staff: { person: 3, firm: 6 },
  trader: { person: 1, firm: 3 },
}
const MAKING_TOTAL = 12

/** What a download counts in: bytes that wait, and files that are being made. */
const BYTES = 'bytes'
const FILES = 'files'

/** A download without a read for this long ends if another needs its bytes. */
const STALLED = 8 * SECOND

const full = () => new Problem(429, 'too_many_bytes', say('problems.error.too_many_bytes'), [], { 'retry-after': '5' })

export type Caller = Pick<Ctx, 'tenantId' | 'principal'>
/** What a download counts for each holder of a limit: a person, a firm's staff or clients, and all together. */
export type Weights = ReadonlyMap<string, number>
/** A download, and when a piece of it was last read; `giveUp` ends it. */
export type Download = { weights: Weights; fetchedAt: number; giveUp: () => void }
/** The downloads in progress, and their limits. */
export type Room = { downloads: Set<Download>; shares: Shares; total: number; now: () => number }

const held = ({ downloads }: Room, name: string): number =>
  [...downloads].reduce((sum, { weights }) => sum + (weights.get(name) ?? 0), 0)

/** Returns the bytes that wait now. */
export const heldBytes = (room: Room): number => held(room, BYTES)

/**
 * Ends stalled downloads, the longest first, until `weight` fits into the limit `most`; returns false if it does not.
 */
function makeRoom(room: Room, name: string, weight: number, most: number): boolean {
  while (held(room, name) + weight > most) {
    const [longest] = [...room.downloads]
      .filter(({ weights, fetchedAt }) => weights.has(name) && room.now() - fetchedAt > STALLED)
      .sort((a, b) => a.fetchedAt - b.fetchedAt)
    if (!longest) return false
    longest.giveUp()
  }
  return true
}

/** Returns what a download counts for its caller, in bytes or in files; throws the 429 if a limit is reached. */
function weigh(
  room: Room,
  { tenantId, principal }: Caller,
  of: string,
  weight: number,
  limits: Shares,
  most: number,
): readonly (readonly [name: string, weight: number])[] {
  const kind = isClient(principal) ? 'trader' : 'staff'
  const firm = `${of}\n${tenantId}\n${kind}`
  const person = `${firm}\n${findPersonId(principal) ?? ''}`
  const { person: ofPerson, firm: ofFirm } = limits[kind]
  if (
    !makeRoom(room, person, weight, ofPerson) ||
    !makeRoom(room, firm, weight, ofFirm) ||
    !makeRoom(room, of, weight, most)
  )
    throw full()
  return [
    [person, weight],
    [firm, weight],
    [of, weight],
  ]
}

/** Returns what this many bytes count for a caller; throws the 429 if a limit is reached. */
export const weighBytes = (room: Room, caller: Caller, bytes: number): Weights =>
  new Map(weigh(room, caller, BYTES, bytes, room.shares, room.total))

/** Returns what a file counts that is made while it is read; throws the 429 if a limit is reached. */
export const weighMadeFile = (room: Room, caller: Caller, bytes: number): Weights =>
  new Map([...weighBytes(room, caller, bytes), ...weigh(room, caller, FILES, 1, MAKING, MAKING_TOTAL)])
