import { perApp } from '../../capabilities.ts'
import {
  type Caller,
  heldBytes,
  type Room,
  roomFor,
  roomToMake,
  SHARES,
  type Shares,
  TOTAL,
} from './download-budget.ts'
import { streamOf, streamOfPieces } from './download-streams.ts'

const encoder = new TextEncoder()

/**
 * Sends whole files and large pages from memory piece by piece, as fast as they are fetched. What is not fetched yet is
 * kept within shares: what nobody fetches is memory that nobody else has. src/README “Bounded work”.
 */
export function createDownloads(shares: Shares = SHARES, total = TOTAL, now = () => performance.now()) {
  const room: Room = { leaving: new Set(), shares, total, now }
  return {
    /** Bytes that wait now, for tests. */
    held: (): number => heldBytes(room),
    /** Answers with a file of a known size; 429 where it finds no room, before it is read; null where there is none. */
    send: (
      caller: Caller,
      size: number,
      headers: Record<string, string>,
      read: () => Uint8Array | undefined,
    ): Response | null => {
      const weights = roomFor(room, caller, size)
      const bytes = read()
      return bytes ? new Response(streamOf(room, weights, bytes), { headers }) : null
    },
    /**
     * Answers with pieces that are made while they are fetched, of which at most `most` bytes are held at once; 429
     * where those find no room, or where as many files are being made as may be. Who fetches nothing for long, or whose
     * pieces cannot be made, gets a broken answer.
     */
    sendPieces: (
      caller: Caller,
      most: number,
      headers: Record<string, string>,
      pieces: AsyncIterator<Uint8Array>,
    ): Response => new Response(streamOfPieces(room, roomToMake(room, caller, most), pieces), { headers }),
    /** Answers with a text; 429 where it finds no room. */
    sendText: (caller: Caller, text: string, headers: Headers): Response => {
      const bytes = encoder.encode(text)
      return new Response(streamOf(room, roomFor(room, caller, bytes.byteLength), bytes), { headers })
    },
  }
}
/** The downloads of the running application. */
export const downloadsOf = perApp(() => createDownloads())
