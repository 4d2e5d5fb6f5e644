import { KIB, MIB } from '../../../platform/bytes.ts'
import { perApp } from '../../../platform/capabilities.ts'

/** Sixteen logos of the largest size, and hundreds of a usual one. */
const MOST_BYTES = 16 * MIB
const PIECE = 64 * KIB

/**
 * The body of an answer with these bytes, which all answers share. A large one goes piece by piece as it is fetched:
 * hundreds that nobody fetches, handed over whole, hold the server while the system finds memory for them.
 */
export function bodyOf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  if (bytes.byteLength <= PIECE) return bytes
  let at = 0
  return new ReadableStream({
    pull: (to) => {
      to.enqueue(bytes.slice(at, at + PIECE))
      at += PIECE
      if (at >= bytes.byteLength) to.close()
    },
  })
}

/**
 * Files that everybody may see, opened once and kept in memory, since a key
 * names one content for ever. What was asked for longest ago gives way.
 */
export function createShelf(most = MOST_BYTES) {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  let size = 0
  return {
    /** Bytes that are kept now, for tests. */
    size: (): number => size,
    take: (key: string, open: () => Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined => {
      const known = kept.get(key)
      if (known) {
        kept.delete(key)
        kept.set(key, known)
        return known
      }
      const opened = open()
      if (!opened) return undefined
      const bytes = new Uint8Array(opened)
      if (bytes.byteLength > most) return bytes
      kept.set(key, bytes)
      size += bytes.byteLength
      for (const [oldest, { byteLength }] of kept) {
        if (size <= most) break
        kept.delete(oldest)
        size -= byteLength
      }
      return bytes
    },
  }
}
/** The shelf of the running application. */
export const shelfOf = perApp(() => createShelf())
