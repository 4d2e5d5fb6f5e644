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

/** A body with a declared length up to this is read in one piece. */
const SMALL = 16 * KIB
/** A body counts for at least this much, since its connection and headers take memory too. */
const LEAST = 4 * KIB

/** How one body is read: its limit, the refusal of a larger one, and its origin. */
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
    // the first bytes have counted since the announcement
    take(room, body, Math.max(LEAST, size) - body.bytes)
    parts.add(value)
    // reads after other work, so that chunks of one byte arrive together instead of one by one
    await afterOthers()
  }
}

/**
 * Reads bodies piece by piece, never beyond the limit, and keeps the arriving bytes within their share. If a share is
 * full, the owner of the most bytes gives way.
 */
export function createIntake(shares: Readonly<Record<Sender, Share>> = SHARES) {
  const room: IntakeRoom = { shares, arriving: new Set(), held: new Map() }
  const patienceWith = createPatience()
  return {
    /** Returns the bytes in memory now, for tests and metrics. */
    held: (): number => [...room.arriving].reduce((sum, { bytes }) => sum + bytes, 0),
    /** Returns the bytes of a body, or throws: too large, too many at once from this network or in all, too slow. */
    read: async (request: Request, reading: Reading): Promise<Uint8Array> => {
      const { maxBytes, tooLarge, sender, network, holder } = reading
      const header = request.headers.get('content-length')
      const declared = header === null ? null : Number(header)
      if (declared !== null && declared > maxBytes) throw tooLarge()
      const isSmall = declared !== null && declared <= SMALL
      const reader = isSmall ? undefined : request.body?.getReader()
      // the server drops the rest, so that the sender can read the answer
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

/** Gathers the pieces of a body. Small ones are joined as they come, since each takes more memory than its bytes. */
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
