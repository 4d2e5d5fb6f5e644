import type { Source } from './source.ts'
import {
  buildMessageId,
  type EventStream,
  parseMessageId,
  readEventId,
  SinkTaken,
  type Stored,
  type StreamSeen,
} from './stream.ts'

/** How far the stream is: the place of its last message, and of each firm the number of its last event. */
export type Position = { seen: StreamSeen; sent: Map<string, number> }

/** A firm whose events the stream knows differently than this server does, from a number on. */
export type Fork = {
  tenantId: string
  /** The first and the last number that the stream has, and this server does not have or has for another event. */
  from: number
  to: number
  /** How many numbers of this server are among them; those events will not be sent. */
  unsent: number
}

/** What one process remembers of the stream: the last place that it knew of, and the forks that it went on after. */
export type Memory = { last: number | null; forks: Map<string, number> }

/** This many events may be on their way. */
export const MOST_IN_FLIGHT = 64
/** This many messages are asked for at once. */
const AT_ONCE = 32
/** If the stream changes while it is read, it is read again this many times. */
const TRIES = 5

/** Calls `act` for each item, for a few of them at once. */
async function forEach<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  let next = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) await act(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** Returns the number in the last message of a firm; throws if this program did not make that message. */
function readNumber(tenantId: string, stored: Stored): number {
  const named = parseMessageId(stored.id)
  if (named?.tenantId !== tenantId)
    throw new SinkTaken(`the last message of ${tenantId} in the stream, at ${stored.place}, is of somebody else`, null)
  return named.sequence
}

/** Reads the last messages of all firms, at a moment at which the stream does not change. */
async function readLasts(stream: EventStream, firms: readonly string[]) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const seen = await stream.look()
    const lasts = new Map<string, Stored>()
    await forEach(firms, async (tenantId) => {
      const last = await stream.readLast(tenantId)
      if (last) lasts.set(tenantId, last)
    })
    if ((await stream.look()).last === seen.last) return { seen, lasts }
  }
  throw new SinkTaken('the stream changes while nothing is sent to it from here', null)
}

/** Returns whether a message may be about the event that this server has under its number. */
function isOurs(source: Source, tenantId: string, stored: Stored): boolean {
  const named = parseMessageId(stored.id)
  if (named?.tenantId !== tenantId || named.sequence > source.head(tenantId)) return false
  const known = source.findId(tenantId, named.sequence)
  // what is no longer kept here cannot be compared
  return known === null || known === readEventId(stored)
}

/** Returns the first number of a firm that the stream has for another event; the messages before it are the same. */
async function findSplit(stream: EventStream, source: Source, tenantId: string, last: Stored): Promise<number> {
  let low = 1
  let high = last.place
  let split = readNumber(tenantId, last)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const stored = await stream.readFrom(middle, tenantId)
    if (stored && isOurs(source, tenantId, stored)) low = stored.place + 1
    else {
      high = middle
      if (stored) split = readNumber(tenantId, stored)
    }
  }
  return split
}

/** Throws if the stream has grown by a message that is not of this server, among those that it may have sent. */
async function refuseOthers(stream: EventStream, source: Source, { last }: StreamSeen, known: number): Promise<void> {
  const places = Array.from({ length: Math.max(0, Math.min(last - known, MOST_IN_FLIGHT)) }, (_, at) => known + 1 + at)
  await forEach(last > known ? [...places, last] : [], async (place) => {
    const stored = await stream.readFrom(place)
    const tenantId = stored && parseMessageId(stored.id)?.tenantId
    if (!stored || (tenantId && isOurs(source, tenantId, stored))) return
    throw new SinkTaken(`somebody else published ${stored.subject} to the stream, at ${stored.place}`, last)
  })
}

/**
 * Asks the stream how far it is. If this process asks for the first time, a stream that knows other or later numbers
 * means that this server was restored to an earlier moment: the forks are returned, and remembered. Later it means that
 * somebody else publishes, which is thrown.
 */
export async function readPosition(
  stream: EventStream,
  source: Source,
  memory: Memory,
): Promise<{ position: Position; forks: Fork[] }> {
  const { seen, lasts } = await readLasts(stream, source.firms())
  const { last: known } = memory
  if (known !== null) await refuseOthers(stream, source, seen, known)
  const sent = new Map<string, number>()
  const forks: Fork[] = []
  for (const [tenantId, last] of lasts) {
    const to = readNumber(tenantId, last)
    sent.set(tenantId, to)
    if (memory.forks.get(tenantId) === to || isOurs(source, tenantId, last)) continue
    if (known !== null)
      throw new SinkTaken(`the stream has ${buildMessageId(tenantId, to)}, which this server did not send`, null)
    const from = await findSplit(stream, source, tenantId, last)
    const unsent = Math.max(0, Math.min(to, source.head(tenantId)) - from + 1)
    forks.push({ tenantId, from, to, unsent })
  }
  for (const { tenantId, to } of forks) memory.forks.set(tenantId, to)
  memory.last = seen.last
  return { position: { seen, sent }, forks }
}
