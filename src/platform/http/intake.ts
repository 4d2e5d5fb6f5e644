import { KIB, MIB } from '../bytes.ts'
import { createPatience, deadlineOf } from './patience.ts'
import { Problem } from './problem.ts'

/** Bytes of bodies that may be on their way in at once: for one client network, and in all. */
type Share = { network: number; total: number }
/**
 * Who sends a body decides which share it comes out of: strangers, clients and
 * uploads together can never use up what staff and their programs need. DESIGN §4.12.
 */
const SHARES = {
  public: { network: 4 * MIB, total: 16 * MIB },
  trader: { network: 4 * MIB, total: 16 * MIB },
  upload: { network: 48 * MIB, total: 96 * MIB },
  staff: { network: 48 * MIB, total: 96 * MIB },
} as const satisfies Readonly<Record<string, Share>>
export type Sender = keyof typeof SHARES

/** A body that declares no more than this is read in one piece. */
const SMALL = 16 * KIB

const busy = (status: 429 | 503, detail: string) =>
  new Problem(status, status === 429 ? 'too_many_bytes' : 'busy', detail, [], { 'retry-after': '5' })

/** How one body is read: its limit, what is said where it is larger, whose it is. */
export type Reading = { maxBytes: number; tooLarge: () => Problem; sender: Sender; network: string }

/**
 * Reads bodies piece by piece, never beyond the limit, and keeps what is on its way in at any time within its share.
 */
export function createIntake(shares: Readonly<Record<Sender, Share>> = SHARES) {
  const held = new Map<string, number>()
  const patiently = createPatience()

  const add = (key: string, bytes: number): void => {
    const now = (held.get(key) ?? 0) + bytes
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }

  return {
    /** Bytes held now, for tests and metrics. */
    held: (): number => [...held].reduce((sum, [key, bytes]) => (key.includes('\n') ? sum : sum + bytes), 0),
    /** The bytes of a body, or the refusal: too large, too many at once from this network or in all, too slow. */
    read: async (request: Request, { maxBytes, tooLarge, sender, network }: Reading): Promise<Uint8Array> => {
      const share = shares[sender]
      const mine = `${sender}\n${network}`
      let taken = 0
      const take = (bytes: number): void => {
        if ((held.get(mine) ?? 0) + bytes > share.network)
          throw busy(429, 'Too many bytes are on their way from your network; wait and repeat.')
        if ((held.get(sender) ?? 0) + bytes > share.total)
          throw busy(503, 'Too many bytes are on their way in at this moment; wait and repeat.')
        add(mine, bytes)
        add(sender, bytes)
        taken += bytes
      }
      const header = request.headers.get('content-length')
      const declared = header === null ? null : Number(header)
      if (declared !== null && declared > maxBytes) throw tooLarge()
      const until = deadlineOf(maxBytes)
      try {
        if (declared !== null && declared <= SMALL) {
          take(declared)
          const bytes = await patiently(request.bytes(), until, () => {})
          if (bytes.byteLength > maxBytes) throw tooLarge()
          return bytes
        }
        if (request.body === null) return new Uint8Array()
        const reader = request.body.getReader()
        const cancel = (): void => void reader.cancel().catch(() => {})
        const pieces: Uint8Array[] = []
        let size = 0
        try {
          for (;;) {
            const { done, value } = await patiently(reader.read(), until, cancel)
            if (done) return joined(pieces, size)
            size += value.byteLength
            if (size > maxBytes) throw tooLarge()
            take(value.byteLength)
            pieces.push(value)
          }
        } catch (error) {
          // what still comes is thrown away by the server, so that the sender gets to read the answer
          cancel()
          throw error
        }
      } finally {
        add(mine, -taken)
        add(sender, -taken)
      }
    },
  }
}
export type Intake = ReturnType<typeof createIntake>

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces
  if (only && pieces.length === 1) return only
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.byteLength
  }
  return whole
}
