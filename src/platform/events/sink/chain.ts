import { MOST_IN_FLIGHT, type Position } from './position.ts'
import type { EventRow, Source } from './source.ts'
import { buildMessageId, type EventStream } from './stream.ts'

/** Numbers of a firm that the outbox no longer has, although they were never sent. */
export type Gap = { tenantId: string; from: number; to: number }

/** This many events are read from the database at once. */
const BATCH = 256

type ChainParts = {
  stream: EventStream
  source: Source
  /** Resolves with a position up to which the replica has every event, once it is another one than before. */
  covered: () => Promise<number>
  /** Resolves once there may be new events, or after a while. */
  idle: () => Promise<void>
  /** Resolves at once, or after a while if others need the processor; asked while a backlog is sent. */
  giveWay: () => Promise<void>
  /** Returns whether this server may send; false after its role changed, or when it stops. */
  mayGo: () => boolean
  now: () => number
  /** Every event up to this position is in the stream; `place` is the last place there that is known. */
  reached: (position: number, place: number, published: number) => void
  gap: (gap: Gap) => void
}

/** The events on their way: each expects the place of the one before it, so that none passes another. */
function createFlights({ stream, reached }: Pick<ChainParts, 'stream' | 'reached'>, last: number) {
  const flights = new Set<Promise<void>>()
  /** Resolves when the next flight ends; a race of all of them for each event would cost more than the event. */
  let next = Promise.withResolvers<void>()
  let after = last
  let failure: { cause: unknown } | undefined
  const failed = Promise.withResolvers<void>()
  const fail = (cause: unknown): void => {
    failure ??= { cause }
    failed.resolve()
  }
  void stream.closed.then(() => fail(new Error('the connection to the stream has ended')))

  const fly = async ({ tenantId, event, sequence, body, position }: EventRow, expected: number): Promise<void> => {
    const subject = `brokerbase.${tenantId}.${event}`
    try {
      const place = await stream.publish({ subject, id: buildMessageId(tenantId, sequence), body }, expected)
      if (place !== expected + 1) throw new Error(`${tenantId}:${sequence} is at ${place}, and not after ${expected}`)
      if (!failure) reached(position, place, 1)
    } catch (cause) {
      fail(cause)
    }
  }
  return {
    launch: (row: EventRow): void => {
      const flight: Promise<void> = fly(row, after).then(() => {
        flights.delete(flight)
        next.resolve()
        next = Promise.withResolvers<void>()
      })
      flights.add(flight)
      after += 1
    },
    /** Resolves once another one may begin. */
    room: async (): Promise<void> => {
      while (flights.size >= MOST_IN_FLIGHT && !failure) await next.promise
    },
    /** Resolves when the first one fails. */
    failed: failed.promise,
    isFailed: (): boolean => failure !== undefined,
    isEmpty: (): boolean => flights.size === 0,
    place: (): number => after,
    /** Waits for all of them; throws the first failure. */
    land: async (): Promise<void> => {
      await Promise.all(flights)
      if (failure) throw failure.cause
    },
  }
}

/**
 * Makes the choice of what is sent: returns whether an event is to be sent now, and tells of a gap before it. Of a firm
 * that the stream does not know, events are left out that are older than the stream keeps: they were there once.
 */
function createChoice({ now, gap }: Pick<ChainParts, 'now' | 'gap'>, { seen, sent }: Position) {
  const planned = new Map(sent)
  return ({ tenantId, sequence, createdAt }: EventRow): boolean => {
    const before = planned.get(tenantId)
    if (before === undefined && seen.keptMs > 0 && createdAt <= now() - seen.keptMs) return false
    if (before !== undefined && sequence <= before) return false
    if (before !== undefined && sequence > before + 1) gap({ tenantId, from: before + 1, to: sequence - 1 })
    planned.set(tenantId, sequence)
    return true
  }
}

/** Sends events in their order from a position on, until it may not go on or something fails, which is thrown. */
export async function sendFrom(parts: ChainParts, position: Position): Promise<void> {
  const { source, covered, idle, giveWay, mayGo, reached } = parts
  const flights = createFlights(parts, position.seen.last)
  const isWanted = createChoice(parts, position)
  let cursor = source.findStart(position.sent)
  const mayGoOn = (): boolean => mayGo() && !flights.isFailed()
  let safe = cursor
  reached(cursor, position.seen.last, 0)
  while (mayGoOn()) {
    const rows = source.read(cursor, BATCH)
    if (rows.length === 0) {
      if (flights.isEmpty()) reached(cursor, flights.place(), 0)
      await Promise.race([idle(), flights.failed])
      continue
    }
    if (rows.every((row) => row.position > safe))
      safe = await Promise.race([covered(), flights.failed.then(() => safe)])
    for (const row of rows) {
      if (row.position > safe) break
      await flights.room()
      if (!mayGoOn()) break
      cursor = row.position
      if (isWanted(row)) flights.launch(row)
    }
    if (rows.length === BATCH) await Promise.race([giveWay(), flights.failed])
  }
  if (mayGo()) await flights.land()
}
