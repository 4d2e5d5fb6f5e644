import { KIB, MIB } from '../../../platform/bytes.ts'
import { perApp } from '../../../platform/capabilities.ts'

/** Room for sixteen logos of the largest size, or hundreds of a usual one. */
const MOST_BYTES = 16 * MIB
const PIECE = 64 * KIB

/**
 * Returns the body of an answer with these bytes, which all answers share. A large one is sent piece by piece as it is
 * read: handed over whole, the bodies of hundreds of slow readers would fill the memory.
 */
export function createSharedBody(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
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
 * Public files, read once and kept in memory, since a key names the same content for ever. The least recently used one
 * goes first.
 */
export function createPublicFileCache(most = MOST_BYTES) {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>()
  let size = 0
  return {
    /** Returns how many bytes are kept, for tests. */
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
export const getPublicFileCache = perApp(() => createPublicFileCache())
