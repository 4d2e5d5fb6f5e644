import { KIB } from '../../bytes.ts'
import type { Problem } from '../../problem.ts'
import {
  type Arriving,
  type IntakeRoom,
  type Origin,
  release,
  type Sender,
  SHARES,
  type Share,
  take,
} from './body-budget.ts'
import { createPatience } from './slow-body.ts'

/** A body that declares no more than this is read in one piece. */
const SMALL = 16 * KIB
/** What a body counts for at least: its connection and its headers take memory too. */
const LEAST = 4 * KIB

/** How one body is read: its limit, what is said where it is larger, who sends it. */
export type Reading = Origin & { maxBytes: number; tooLarge: () => Problem }
type Reader = ReadableStreamDefaultReader<Uint8Array>
const afterOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function readPieces(
  room: IntakeRoom,
  body: Arriving,
  reader: Reader,
  { maxBytes, tooLarge }: Reading,
): Promise<Uint8Array> {
  const parts = createParts()
  let size = 0
  for (;;) {
    const { done, value } = await body.patience.wait(reader.read())
    if (done) return parts.joined(size)
    size += value.byteLength
    if (size > maxBytes) throw tooLarge()
    body.patience.arrived(value.byteLength)
    // the first bytes are those that it counted for from the beginning
    take(room, body, Math.max(LEAST, size) - body.bytes)
    parts.add(value)
    // What came meanwhile is one piece then: read at once, each chunk of one byte would be a piece of its own.
    await afterOthers()
  }
}

/**
 * Reads bodies piece by piece, never beyond the limit, and keeps what is on its way in at any time within its share.
 * A full share turns nobody away who holds little of it: whoever holds most gives way.
 */
export function createIntake(shares: Readonly<Record<Sender, Share>> = SHARES) {
  const room: IntakeRoom = { shares, arriving: new Set(), held: new Map() }
  const patienceWith = createPatience()
  return {
    /** Bytes held now, for tests and metrics. */
    held: (): number => [...room.arriving].reduce((sum, { bytes }) => sum + bytes, 0),
    /** The bytes of a body, or the refusal: too large, too many at once from this network or in all, too slow. */
    read: async (request: Request, reading: Reading): Promise<Uint8Array> => {
      const { maxBytes, tooLarge, sender, network, holder } = reading
      const header = request.headers.get('content-length')
      const declared = header === null ? null : Number(header)
      if (declared !== null && declared > maxBytes) throw tooLarge()
      const isSmall = declared !== null && declared <= SMALL
      const reader = isSmall ? undefined : request.body?.getReader()
      // what still comes is thrown away by the server, so that the sender gets to read the answer
      const stop = (): void => void reader?.cancel().catch(() => {})
      const body: Arriving = { sender, network, holder, bytes: 0, patience: patienceWith(stop) }
      room.arriving.add(body)
      try {
        take(room, body, Math.max(LEAST, isSmall ? declared : 0))
        if (reader) return await readPieces(room, body, reader, reading)
        const bytes = await body.patience.wait(request.bytes())
        if (bytes.byteLength > maxBytes) throw tooLarge()
        return bytes
      } catch (error) {
        stop()
        throw error
      } finally {
        release(room, body)
      }
    },
  }
}

/** What came of a body. Small pieces are put together as they come, for each takes more memory than its bytes. */
function createParts() {
  const parts: Uint8Array[] = []
  let gathered: Uint8Array | undefined
  let filled = 0
  const close = (): void => {
    if (gathered) parts.push(gathered.subarray(0, filled))
    gathered = undefined
    filled = 0
  }
  return {
    add: (piece: Uint8Array): void => {
      if (filled + piece.byteLength > SMALL) close()
      if (piece.byteLength > SMALL) {
        parts.push(piece)
        return
      }
      gathered ??= new Uint8Array(SMALL)
      gathered.set(piece, filled)
      filled += piece.byteLength
    },
    joined: (size: number): Uint8Array => {
      close()
      const [only] = parts
      if (only && parts.length === 1) return only
      const whole = new Uint8Array(size)
      let at = 0
      for (const part of parts) {
        whole.set(part, at)
        at += part.byteLength
      }
      return whole
    },
  }
}
