import type { Ctx } from '../access/ctx.ts'
import { KIB, MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { Problem } from './problem.ts'

/** Bytes that wait to be fetched, for one caller and for all of the firm's staff or clients. */
const SHARES = {
  staff: { caller: 48 * MIB, firm: 96 * MIB },
  trader: { caller: 16 * MIB, firm: 32 * MIB },
} as const
const TOTAL = 256 * MIB

const PIECE = 64 * KIB
/** Who fetches more slowly than a slow telephone line is given up. */
const SLOWEST_PER_SECOND = 16 * KIB
const SLACK = 30 * SECOND

const full = () =>
  new Problem(
    429,
    'too_many_bytes',
    'Too many files are on their way to you or your firm; fetch those and repeat.',
    [],
    {
      'retry-after': '5',
    },
  )

type Caller = Pick<Ctx, 'app' | 'tenantId' | 'principal'>

/**
 * Sends whole files from memory piece by piece, as fast as they are fetched. What is not fetched yet is kept
 * within shares: a file that nobody fetches is memory that nobody else has. DESIGN §4.12.
 */
export function createDownloads(shares = SHARES, total = TOTAL) {
  const held = new Map<string, number>()
  const count = (keys: readonly string[], bytes: number): void => {
    for (const key of keys) {
      const now = (held.get(key) ?? 0) + bytes
      if (now > 0) held.set(key, now)
      else held.delete(key)
    }
  }
  return {
    /** Bytes that wait now, for tests. */
    held: (): number => held.get('') ?? 0,
    /** Answers with a file of a known size; 429 where it finds no room, before it is read; null where there is none. */
    send: (
      { tenantId, principal }: Omit<Caller, 'app'>,
      size: number,
      headers: Record<string, string>,
      read: () => Uint8Array | undefined,
    ): Response | null => {
      const kind = principal.kind === 'trader' ? 'trader' : 'staff'
      const firm = `${tenantId}\n${kind}`
      const caller = `${firm}\n${'id' in principal ? principal.id : ''}`
      const limits = [
        [caller, shares[kind].caller],
        [firm, shares[kind].firm],
        ['', total],
      ] as const
      if (limits.some(([key, most]) => (held.get(key) ?? 0) + size > most)) throw full()
      const bytes = read()
      if (!bytes) return null
      const keys = limits.map(([key]) => key)
      count(keys, size)
      let isHeld = true
      const release = (): void => {
        clearTimeout(timer)
        if (isHeld) count(keys, -size)
        isHeld = false
      }
      let giveUp = (): void => {}
      const timer = setTimeout(() => giveUp(), SLACK + (size / SLOWEST_PER_SECOND) * SECOND).unref()
      let at = 0
      const stream = new ReadableStream<Uint8Array>({
        start: (to) => {
          giveUp = () => {
            release()
            to.error(new Error('The file was fetched too slowly.'))
          }
        },
        pull: (to) => {
          to.enqueue(bytes.subarray(at, at + PIECE))
          at += PIECE
          if (at < bytes.byteLength) return
          release()
          to.close()
        },
        cancel: release,
      })
      return new Response(stream, { headers })
    },
  }
}
type Downloads = ReturnType<typeof createDownloads>

const ofApp = new WeakMap<object, Downloads>()
/** The downloads of the running application. */
export function downloadsOf({ app }: Pick<Caller, 'app'>): Downloads {
  const known = ofApp.get(app)
  if (known) return known
  const made = createDownloads()
  ofApp.set(app, made)
  return made
}
