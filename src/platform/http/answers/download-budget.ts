import { say } from '../../../words/say.ts'
import type { Ctx } from '../../access/ctx.ts'
import { isClient, personOf } from '../../access/principal.ts'
import { MIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'

export type Shares = Readonly<Record<'staff' | 'trader', { person: number; firm: number }>>

/** Bytes that wait to be fetched, for one person and for all of the firm's staff or clients. */
export const SHARES: Shares = {
  staff: { person: 48 * MIB, firm: 96 * MIB },
  trader: { person: 16 * MIB, firm: 64 * MIB },
}
export const TOTAL = 256 * MIB
/** Files that are made at once while they are fetched: that takes the time of everybody who asks for anything. */
const MAKING: Shares = {
  staff: { person: 3, firm: 6 },
  trader: { person: 1, firm: 3 },
}
const MAKING_TOTAL = 12

/** What is counted: bytes that wait, and files that are being made. */
const BYTES = 'bytes'
const FILES = 'files'

/** A file of which no piece was fetched for so long gives way to one that somebody asks for. */
const STALLED = 8 * SECOND

const full = () => new Problem(429, 'too_many_bytes', say('problems.error.too_many_bytes'), [], { 'retry-after': '5' })

export type Caller = Pick<Ctx, 'tenantId' | 'principal'>
/** What something on its way counts as, by the names of who waits for it. */
export type Weights = ReadonlyMap<string, number>
/** A file on its way, and when a piece of it was last fetched; `giveUp` takes it out of the room. */
export type Leaving = { weights: Weights; fetchedAt: number; giveUp: () => void }
/** What is on its way, and the shares it is kept within. */
export type Room = { leaving: Set<Leaving>; shares: Shares; total: number; now: () => number }

const held = ({ leaving }: Room, name: string): number =>
  [...leaving].reduce((sum, { weights }) => sum + (weights.get(name) ?? 0), 0)

/** Answers the bytes that wait now. */
export const heldBytes = (room: Room): number => held(room, BYTES)

/** Ends what has stalled, the longest first, until there is room; false where there is none. */
function makeRoom(room: Room, name: string, weight: number, most: number): boolean {
  while (held(room, name) + weight > most) {
    const [longest] = [...room.leaving]
      .filter(({ weights, fetchedAt }) => weights.has(name) && room.now() - fetchedAt > STALLED)
      .sort((a, b) => a.fetchedAt - b.fetchedAt)
    if (!longest) return false
    longest.giveUp()
  }
  return true
}

/** What something counts as for a caller, in bytes or in files; throws the 429 where there is no room for it. */
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
  const person = `${firm}\n${personOf(principal) ?? ''}`
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

/** Answers what so many bytes count as for a caller; throws the 429 where there is no room for them. */
export const roomFor = (room: Room, caller: Caller, bytes: number): Weights =>
  new Map(weigh(room, caller, BYTES, bytes, room.shares, room.total))

/** Answers what a file that is made while it is fetched counts as; throws the 429 where there is no room for it. */
export const roomToMake = (room: Room, caller: Caller, bytes: number): Weights =>
  new Map([...roomFor(room, caller, bytes), ...weigh(room, caller, FILES, 1, MAKING, MAKING_TOTAL)])
