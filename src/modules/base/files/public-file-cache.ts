import { KIB, MIB } from '../../../platform/bytes.ts'
import { perApp } from '../../../platform/capabilities.ts'

/** Room for sixteen logos of the largest size, or for hundreds of usual ones. */
const MOST_BYTES = 16 * MIB
const PIECE = 64 * KIB

/**
 * Returns an answer's body with these bytes, which all answers share. A large body is sent in pieces as the receiver
 * reads; sent whole to hundreds of slow readers, it would fill the memory.
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
 * Reads public files once and keeps them in memory, since the content of a key never changes. The least recently used
 * file goes first.
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
