import { KIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import type { Leaving, Room, Weights } from './download-budget.ts'

const PIECE = 64 * KIB
/** A download without any read ends after this time. */
const GIVEN_UP = 30 * SECOND

type Timed = Leaving & { timer: Timer }

const tooSlow = () => new Error('The answer was fetched too slowly.')

/** Adds a download to the room; it ends after a time without reads. */
function enter({ leaving, now }: Room, weights: Weights): Timed {
  const entry: Timed = {
    weights,
    fetchedAt: now(),
    giveUp: () => {},
    timer: setTimeout(() => entry.giveUp(), GIVEN_UP).unref(),
  }
  leaving.add(entry)
  return entry
}

function noteFetch({ now }: Room, entry: Timed): void {
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
  entry.fetchedAt = now()
}

function leave({ leaving }: Room, entry: Timed): void {
  clearTimeout(entry.timer)
  leaving.delete(entry)
}

/** Streams bytes piece by piece, and counts them until the last one is read or the reader is gone. */
export function createStream(room: Room, weights: Weights, bytes: Uint8Array): ReadableStream<Uint8Array> {
  const entry = enter(room, weights)
  let at = 0
  let rest: Uint8Array | undefined = bytes
  const release = (): void => {
    leave(room, entry)
    rest = undefined
  }
  return new ReadableStream<Uint8Array>({
    start: (to) => {
      entry.giveUp = () => {
        release()
        to.error(tooSlow())
      }
    },
    pull: (to) => {
      noteFetch(room, entry)
      // a copy, since a view in a socket would keep the whole buffer, which is no longer counted
      if (rest) to.enqueue(rest.slice(at, at + PIECE))
      at += PIECE
      if (rest && at < rest.byteLength) return
      release()
      to.close()
    },
    cancel: release,
  })
}

/** Streams pieces as they are made; the generator ends after the last, after a failure, or without a reader. */
export function createPieceStream(
  room: Room,
  weights: Weights,
  pieces: AsyncIterator<Uint8Array>,
): ReadableStream<Uint8Array> {
  const entry = enter(room, weights)
  const release = async (): Promise<void> => {
    leave(room, entry)
    await pieces.return?.()
  }
  return new ReadableStream<Uint8Array>({
    start: (to) => {
      entry.giveUp = () => {
        void release()
        to.error(tooSlow())
      }
    },
    pull: async (to) => {
      noteFetch(room, entry)
      try {
        const next = await pieces.next()
        if (!next.done) return to.enqueue(next.value)
        await release()
        to.close()
      } catch (error) {
        await release()
        throw error
      }
    },
    cancel: release,
  })
}
