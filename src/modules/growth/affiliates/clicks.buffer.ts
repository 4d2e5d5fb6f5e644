import { MIB } from '../../../platform/bytes.ts'
import type { Utm } from './affiliates.table.ts'

/**
 * A click that waits to be stored. `host` is the host name of the request, `firm` the firm that the page named, `site`
 * the sender's network.
 */
export type Click = {
  code: string
  visitorId: string
  url: string | null
  referrer: string | null
  utm: Utm | null
  host: string
  firm: string | null
  ip: string | null
  site: string
}

/** All waiting clicks together take at most this much memory. */
const MOST_WAITING = 8 * MIB
/** The clicks of one network take at most this much of it, so that a flood does not affect other networks. */
const MOST_OF_A_SITE = MOST_WAITING / 8
/** A full buffer is cut to this size, so that it is not cut again at every click. */
const AFTER_CUT = (MOST_WAITING / 4) * 3

type Queue = { clicks: Click[]; sizes: number[]; size: number }
type Room = { sites: Map<string, Queue>; size: number; dropped: number; isCut: boolean }

const rooms = new WeakMap<object, Room>()
const getRoom = (app: object): Room => {
  const known = rooms.get(app) ?? { sites: new Map(), size: 0, dropped: 0, isCut: true }
  rooms.set(app, known)
  return known
}

const estimateSize = ({ firm, url, referrer, utm }: Click): number =>
  300 +
  2 * ((firm?.length ?? 0) + (url?.length ?? 0) + (referrer?.length ?? 0) + (utm ? JSON.stringify(utm).length : 0))

/** Cuts a full buffer: every network keeps its clicks up to the same size, so that only large senders lose some. */
function cut(room: Room): void {
  const queues = [...room.sites.values()]
  let level = MOST_OF_A_SITE
  const kept = () => queues.reduce((sum, { size }) => sum + Math.min(size, level), 0)
  while (level > 1 && kept() > AFTER_CUT) level /= 2
  for (const queue of queues)
    while (queue.size > level && queue.clicks.length > 1) {
      const size = queue.sizes.pop() ?? 0
      queue.clicks.pop()
      queue.size -= size
      room.size -= size
      room.dropped += 1
    }
  // if every network has little left, cutting again for each click of this second would not help
  room.isCut = room.size <= AFTER_CUT
}

/** Adds a click. If the buffer is full, clicks of the networks that sent most are dropped and counted. */
export function keepWaiting(app: object, click: Click): void {
  const room = getRoom(app)
  const queue = room.sites.get(click.site) ?? { clicks: [], sizes: [], size: 0 }
  const size = estimateSize(click)
  if (queue.size + size > MOST_OF_A_SITE) {
    room.dropped += 1
    return
  }
  if (room.size + size > MOST_WAITING && room.isCut) cut(room)
  if (room.size + size > MOST_WAITING) {
    room.dropped += 1
    return
  }
  room.sites.set(click.site, queue)
  queue.clicks.push(click)
  queue.sizes.push(size)
  queue.size += size
  room.size += size
}

/** Removes and returns all waiting clicks, and how many were dropped since the last call. */
export function drainClicks(app: object): { clicks: Click[]; dropped: number } {
  const { sites, dropped } = getRoom(app)
  rooms.delete(app)
  return { clicks: [...sites.values()].flatMap(({ clicks }) => clicks), dropped }
}

/**
 * Takes one item of each list in turn, up to `most` items. If the last turn cannot take one of every list, the lists
 * that it takes from are spread evenly.
 */
function inTurns<T>(lists: readonly (readonly T[])[], most: number): T[] {
  const taken: T[] = []
  let live = lists
  for (let turn = 0; taken.length < most && live.length > 0; turn += 1) {
    live = live.filter(({ length }) => length > turn)
    const share = Math.min(1, (most - taken.length) / live.length)
    const chosen = live.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share))
    taken.push(...chosen.flatMap((list) => list.slice(turn, turn + 1)))
  }
  return taken
}

const grouped = <T>(list: readonly T[], by: (one: T) => string): T[][] => [...Map.groupBy(list, by).values()]

/** Takes this many of a firm's clicks: in turn by network, and of each network in turn by affiliate. */
export const takeFairly = (clicks: readonly Click[], most: number): Click[] =>
  inTurns(
    grouped(clicks, ({ site }) => site).map((ofSite) =>
      inTurns(
        grouped(ofSite, ({ code }) => code),
        most,
      ),
    ),
    most,
  )
