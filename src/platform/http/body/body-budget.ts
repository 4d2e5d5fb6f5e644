import { say } from '../../../words/say.ts'
import { MIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'
import type { Patience } from './slow-body.ts'

/** The bytes of bodies that may arrive at once: from one client network, and in all. */
export type Share = { network: number; total: number }
/**
 * The sender of a body decides its share: strangers, callbacks of gateways, clients and uploads can never use up what
 * staff and their programs need. src/README “Bounded work”.
 */
export const SHARES = {
  public: { network: 4 * MIB, total: 16 * MIB },
  callback: { network: 4 * MIB, total: 16 * MIB },
  trader: { network: 4 * MIB, total: 16 * MIB },
  upload: { network: 48 * MIB, total: 96 * MIB },
  staff: { network: 48 * MIB, total: 96 * MIB },
} as const satisfies Readonly<Record<string, Share>>
export type Sender = keyof typeof SHARES

/** A body that is this far behind its pace gives way to one that is not. */
const STALLED = 5 * SECOND

const busy = (status: 429 | 503, detail: string) =>
  new Problem(status, status === 429 ? 'too_many_bytes' : 'busy', detail, [], { 'retry-after': '5' })
const networkFull = () => busy(429, say('problems.error.network_sends_too_much'))
const allFull = () => busy(503, say('problems.error.all_send_too_much'))

/** The origin of a body: its share, and its owners within the share, such as the firm and then the caller. */
export type Origin = { sender: Sender; network: string; holder: readonly string[] }
/** An arriving body, and its counted bytes. */
export type Arriving = Origin & { bytes: number; patience: Patience }

/** The arriving bodies, and the bytes that count for each share in all and for each network in it. */
export type IntakeRoom = {
  shares: Readonly<Record<Sender, Share>>
  arriving: Set<Arriving>
  held: Map<string, number>
}

function count({ held }: IntakeRoom, body: Arriving, bytes: number): void {
  for (const key of [body.sender, `${body.sender}\n${body.network}`]) {
    const now = (held.get(key) ?? 0) + bytes
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }
}

/** Frees the bytes of a body, once. */
export function release(room: IntakeRoom, body: Arriving): void {
  if (room.arriving.delete(body)) count(room, body, -body.bytes)
}

/** Makes bodies of one share give way until it is within its limit; throws if `body` itself gives way. */
function makeRoom(
  room: IntakeRoom,
  body: Arriving,
  key: string,
  most: number,
  full: () => Problem,
  matches: (other: Arriving) => boolean,
): void {
  while ((room.held.get(key) ?? 0) > most) {
    const loser = givesWay([...room.arriving].filter(matches), body)
    if (loser === body) throw full()
    release(room, loser)
    loser.patience.end(full())
  }
}

/** Counts received bytes of a body, and makes room for them; throws if the body itself gives way. */
export function take(room: IntakeRoom, body: Arriving, bytes: number): void {
  // another body took its bytes while this piece was passed on
  if (!room.arriving.has(body)) return
  body.bytes += bytes
  count(room, body, bytes)
  const { sender, network } = body
  const { network: ofNetwork, total } = room.shares[sender]
  const inShare = (other: Arriving): boolean => other.sender === sender
  const inNetwork = (other: Arriving): boolean => inShare(other) && other.network === network
  makeRoom(room, body, `${sender}\n${network}`, ofNetwork, networkFull, inNetwork)
  makeRoom(room, body, sender, total, allFull, inShare)
}

/**
 * Returns the body that gives way if there is no room for all: the slowest body of the owner with the most bytes. The
 * owner is found by firm first and then inside the firm. If the newest body belongs to that owner, it gives way itself,
 * unless an older one of the owner has stalled.
 */
function givesWay(bodies: readonly Arriving[], newest: Arriving): Arriving {
  let heaviest = bodies
  for (const level of newest.holder.keys()) heaviest = findHeaviest(heaviest, level)
  const losers = heaviest.includes(newest) ? heaviest.filter(({ patience }) => patience.behind() > STALLED) : heaviest
  return (
    losers.reduce<Arriving | undefined>(
      (slowest, body) => (slowest && slowest.patience.behind() >= body.patience.behind() ? slowest : body),
      undefined,
    ) ?? newest
  )
}

/** Returns the bodies of the owner with the most bytes, by one level of `holder`; of equal owners, of the first. */
function findHeaviest(bodies: readonly Arriving[], level: number): readonly Arriving[] {
  let heaviest: readonly Arriving[] = []
  let most = -1
  for (const group of Map.groupBy(bodies, ({ holder }) => holder[level]).values()) {
    const sum = group.reduce((bytes, body) => bytes + body.bytes, 0)
    if (sum > most) [heaviest, most] = [group, sum]
  }
  return heaviest
}
