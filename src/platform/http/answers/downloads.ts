import { perApp } from '../../capabilities.ts'
import {
  type Caller,
  heldBytes,
  type Room,
  SHARES,
  type Shares,
  TOTAL,
  weighBytes,
  weighMadeFile,
} from './download-budget.ts'
import { createPieceStream, createStream } from './download-streams.ts'

const encoder = new TextEncoder()

/**
 * Sends whole files and large pages from memory piece by piece, as fast as they are read. Bytes that nobody has read
 * yet are limited, since they take memory from others. src/README “Bounded work”.
 */
export function createDownloads(shares: Shares = SHARES, total = TOTAL, now = () => performance.now()) {
  const room: Room = { downloads: new Set(), shares, total, now }
  return {
    /** Returns the bytes that wait now, for tests. */
    held: (): number => heldBytes(room),
    /**
     * Answers with a file of a known size; 429, before it is read, if a limit is reached, and null if there is no file.
     */
    send: (
      caller: Caller,
      size: number,
      headers: Record<string, string>,
      read: () => Uint8Array | undefined,
    ): Response | null => {
      const weights = weighBytes(room, caller, size)
      const bytes = read()
      return bytes ? new Response(createStream(room, weights, bytes), { headers }) : null
    },
    /**
     * Answers with pieces that are made while they are read, with at most `most` bytes in memory. 429 if a limit is
     * reached, of bytes or of files being made. The answer breaks if its reader stalls or making a piece fails.
     */
    sendPieces: (
      caller: Caller,
      most: number,
      headers: Record<string, string>,
      pieces: AsyncIterator<Uint8Array>,
    ): Response => new Response(createPieceStream(room, weighMadeFile(room, caller, most), pieces), { headers }),
    /** Answers with a text; 429 if a limit is reached. */
    sendText: (caller: Caller, text: string, headers: Headers): Response => {
      const bytes = encoder.encode(text)
      return new Response(createStream(room, weighBytes(room, caller, bytes.byteLength), bytes), { headers })
    },
  }
}
export const getDownloads = perApp(() => createDownloads())
