import type { Ctx } from '../access/ctx.ts'
import { staffIdOf } from '../access/principal.ts'
import { KIB, MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { Problem } from './problem.ts'

/** Bytes that wait to be fetched, for one person and for all of the firm's staff or clients. */
const SHARES = {
  staff: { person: 48 * MIB, firm: 96 * MIB },
  trader: { person: 16 * MIB, firm: 64 * MIB },
} as const
const TOTAL = 256 * MIB

const PIECE = 64 * KIB
/** A file of which no piece was fetched for so long gives way to one that somebody asks for. */
const STALLED = 8 * SECOND
/** So long somebody may fetch nothing at all. */
const GIVEN_UP = 30 * SECOND

const full = () =>
  new Problem(
    429,
    'too_many_bytes',
    'Too many files are on their way to you or your firm; fetch those and repeat.',
    [],
    { 'retry-after': '5' },
  )

type Caller = Pick<Ctx, 'app' | 'tenantId' | 'principal'>
/** A file on its way, under whose names it counts, and when a piece of it was last fetched. */
type Leaving = { names: readonly string[]; bytes: number; fetchedAt: number; giveUp: () => void }

/**
 * Sends whole files from memory piece by piece, as fast as they are fetched. What is not fetched yet is kept
 * within shares: a file that nobody fetches is memory that nobody else has. DESIGN §4.12.
 */
export function createDownloads(shares = SHARES, total = TOTAL, now = () => performance.now()) {
  const leaving = new Set<Leaving>()
  const held = (name: string): number =>
    [...leaving].reduce((sum, { names, bytes }) => (names.includes(name) ? sum + bytes : sum), 0)
  /** Ends what has stalled, the longest first, until there is room; false where there is none. */
  const makeRoom = (name: string, bytes: number, most: number): boolean => {
    while (held(name) + bytes > most) {
      const [longest] = [...leaving]
        .filter(({ names, fetchedAt }) => names.includes(name) && now() - fetchedAt > STALLED)
        .sort((a, b) => a.fetchedAt - b.fetchedAt)
      if (!longest) return false
      longest.giveUp()
    }
    return true
  }
  return {
    /** Bytes that wait now, for tests. */
    held: (): number => held(''),
    /** Answers with a file of a known size; 429 where it finds no room, before it is read; null where there is none. */
    send: (
      { tenantId, principal }: Omit<Caller, 'app'>,
      size: number,
      headers: Record<string, string>,
      read: () => Uint8Array | undefined,
    ): Response | null => {
      const kind = principal.kind === 'trader' ? 'trader' : 'staff'
      const firm = `${tenantId}\n${kind}`
      // somebody's keys are they
      const person = `${firm}\n${staffIdOf(principal) ?? ('id' in principal ? principal.id : '')}`
      const { person: ofPerson, firm: ofFirm } = shares[kind]
      if (!makeRoom(person, size, ofPerson) || !makeRoom(firm, size, ofFirm) || !makeRoom('', size, total)) throw full()
      const bytes = read()
      if (!bytes) return null
      const entry: Leaving = { names: [person, firm, ''], bytes: size, fetchedAt: now(), giveUp: () => {} }
      leaving.add(entry)
      let at = 0
      let rest: Uint8Array | undefined = bytes
      let timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
      const release = (): void => {
        clearTimeout(timer)
        leaving.delete(entry)
        rest = undefined
      }
      const stream = new ReadableStream<Uint8Array>({
        start: (to) => {
          entry.giveUp = () => {
            release()
            to.error(new Error('The file was fetched too slowly.'))
          }
        },
        pull: (to) => {
          clearTimeout(timer)
          timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
          entry.fetchedAt = now()
          // a copy: a view that waits in a socket would hold the whole file, which counts no more then
          if (rest) to.enqueue(rest.slice(at, at + PIECE))
          at += PIECE
          if (rest && at < rest.byteLength) return
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
