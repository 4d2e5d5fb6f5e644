import { KIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import type { Download, Room, Weights } from './download-budget.ts'

const PIECE = 64 * KIB
/** A download without a read ends after this time. */
const GIVEN_UP = 30 * SECOND

type Timed = Download & { timer: Timer }

const tooSlow = () => new Error('The answer was fetched too slowly.')

/** Counts a download against the limits; it ends by itself after 30 seconds without a read. */
function addDownload({ downloads, now }: Room, weights: Weights): Timed {
  const entry: Timed = {
    weights,
    fetchedAt: now(),
    giveUp: () => {},
    timer: setTimeout(() => entry.giveUp(), GIVEN_UP).unref(),
  }
  downloads.add(entry)
  return entry
}

function noteFetch({ now }: Room, entry: Timed): void {
  clearTimeout(entry.timer)
  entry.timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
  entry.fetchedAt = now()
}

function removeDownload({ downloads }: Room, entry: Timed): void {
  clearTimeout(entry.timer)
  downloads.delete(entry)
}

/** Streams bytes piece by piece. The download counts until the last piece is read or the reader is gone. */
export function createStream(room: Room, weights: Weights, bytes: Uint8Array): ReadableStream<Uint8Array> {
  const entry = addDownload(room, weights)
  let at = 0
  let rest: Uint8Array | undefined = bytes
  const release = (): void => {
    removeDownload(room, entry)
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
      // a copy: a view in a socket would keep the whole buffer, whose bytes no longer count
      if (rest) to.enqueue(rest.slice(at, at + PIECE))
      at += PIECE
      if (rest && at < rest.byteLength) return
      release()
      to.close()
    },
    cancel: release,
  })
}

/**
 * Streams pieces as they are made. The generator ends after the last piece, on a failure, or when its reader is gone.
 */
export function createPieceStream(
  room: Room,
  weights: Weights,
  pieces: AsyncIterator<Uint8Array>,
): ReadableStream<Uint8Array> {
  const entry = addDownload(room, weights)
  const release = async (): Promise<void> => {
    removeDownload(room, entry)
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
