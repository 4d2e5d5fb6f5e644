import { say } from '../../words/say.ts'
import type { Ctx } from '../access/ctx.ts'
import { isClient, personOf } from '../access/principal.ts'
import { KIB, MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { Problem } from './problem.ts'

/** Bytes that wait to be fetched, for one person and for all of the firm's staff or clients. */
const SHARES = {
  staff: { person: 48 * MIB, firm: 96 * MIB },
  trader: { person: 16 * MIB, firm: 64 * MIB },
} as const
const TOTAL = 256 * MIB
/** Files that are made at once while they are fetched: that takes the time of everybody who asks for anything. */
const MAKING = {
  staff: { person: 3, firm: 6 },
  trader: { person: 1, firm: 3 },
} as const
const MAKING_TOTAL = 12

/** What is counted: bytes that wait, and files that are being made. */
const BYTES = 'bytes'
const FILES = 'files'

const PIECE = 64 * KIB
const encoder = new TextEncoder()
/** A file of which no piece was fetched for so long gives way to one that somebody asks for. */
const STALLED = 8 * SECOND
/** So long somebody may fetch nothing at all. */
const GIVEN_UP = 30 * SECOND

const full = () =>
  new Problem(429, 'too_many_bytes', say('problems.error.too_many_bytes_on'), [], { 'retry-after': '5' })

type Caller = Pick<Ctx, 'tenantId' | 'principal'>
/** What something on its way counts as, by the names of who waits for it. */
type Weights = ReadonlyMap<string, number>
/** A file on its way, and when a piece of it was last fetched. */
type Leaving = { weights: Weights; fetchedAt: number; giveUp: () => void }
type Shares = Readonly<Record<'staff' | 'trader', { person: number; firm: number }>>

/**
 * Sends whole files and large pages from memory piece by piece, as fast as they are fetched. What is not fetched yet is
 * kept within shares: what nobody fetches is memory that nobody else has. src/README “Bounded work”.
 */
export function createDownloads(shares: Shares = SHARES, total = TOTAL, now = () => performance.now()) {
  const leaving = new Set<Leaving>()
  const held = (name: string): number => [...leaving].reduce((sum, { weights }) => sum + (weights.get(name) ?? 0), 0)
  /** Ends what has stalled, the longest first, until there is room; false where there is none. */
  const makeRoom = (name: string, weight: number, most: number): boolean => {
    while (held(name) + weight > most) {
      const [longest] = [...leaving]
        .filter(({ weights, fetchedAt }) => weights.has(name) && now() - fetchedAt > STALLED)
        .sort((a, b) => a.fetchedAt - b.fetchedAt)
      if (!longest) return false
      longest.giveUp()
    }
    return true
  }
  /** What something counts as for a caller, in bytes or in files; throws the 429 where there is no room for it. */
  const weigh = ({ tenantId, principal }: Caller, of: string, weight: number, limits: Shares, most: number) => {
    const kind = isClient(principal) ? 'trader' : 'staff'
    const firm = `${of}\n${tenantId}\n${kind}`
    const person = `${firm}\n${personOf(principal) ?? ''}`
    const { person: ofPerson, firm: ofFirm } = limits[kind]
    if (!makeRoom(person, weight, ofPerson) || !makeRoom(firm, weight, ofFirm) || !makeRoom(of, weight, most))
      throw full()
    return [
      [person, weight],
      [firm, weight],
      [of, weight],
    ] as const
  }
  const roomFor = (caller: Caller, bytes: number): Weights => new Map(weigh(caller, BYTES, bytes, shares, total))
  const roomToMake = (caller: Caller, bytes: number): Weights =>
    new Map([...roomFor(caller, bytes), ...weigh(caller, FILES, 1, MAKING, MAKING_TOTAL)])
  /** Hands out bytes piece by piece, and counts them until the last one is fetched or nobody fetches any more. */
  const streamOf = (weights: Weights, bytes: Uint8Array): ReadableStream<Uint8Array> => {
    const entry: Leaving = { weights, fetchedAt: now(), giveUp: () => {} }
    leaving.add(entry)
    let at = 0
    let rest: Uint8Array | undefined = bytes
    let timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
    const release = (): void => {
      clearTimeout(timer)
      leaving.delete(entry)
      rest = undefined
    }
    return new ReadableStream<Uint8Array>({
      start: (to) => {
        entry.giveUp = () => {
          release()
          to.error(new Error('The answer was fetched too slowly.'))
        }
      },
      pull: (to) => {
        clearTimeout(timer)
        timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
        entry.fetchedAt = now()
        // a copy: a view that waits in a socket would hold the whole of it, which counts no more then
        if (rest) to.enqueue(rest.slice(at, at + PIECE))
        at += PIECE
        if (rest && at < rest.byteLength) return
        release()
        to.close()
      },
      cancel: release,
    })
  }
  return {
    /** Bytes that wait now, for tests. */
    held: (): number => held(BYTES),
    /** Answers with a file of a known size; 429 where it finds no room, before it is read; null where there is none. */
    send: (
      caller: Caller,
      size: number,
      headers: Record<string, string>,
      read: () => Uint8Array | undefined,
    ): Response | null => {
      const weights = roomFor(caller, size)
      const bytes = read()
      return bytes ? new Response(streamOf(weights, bytes), { headers }) : null
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
    ): Response => {
      const entry: Leaving = { weights: roomToMake(caller, most), fetchedAt: now(), giveUp: () => {} }
      leaving.add(entry)
      let timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
      const release = async (): Promise<void> => {
        clearTimeout(timer)
        leaving.delete(entry)
        await pieces.return?.()
      }
      const body = new ReadableStream<Uint8Array>({
        start: (to) => {
          entry.giveUp = () => {
            void release()
            to.error(new Error('The answer was fetched too slowly.'))
          }
        },
        pull: async (to) => {
          clearTimeout(timer)
          timer = setTimeout(() => entry.giveUp(), GIVEN_UP).unref()
          entry.fetchedAt = now()
          try {
            const next = await pieces.next()
            if (!next.done) return to.enqueue(next.value)
            await release()
            to.close()
          } catch (error) {
            await release()
            throw error
          }
        },
        cancel: release,
      })
      return new Response(body, { headers })
    },
    /** Answers with a text; 429 where it finds no room. */
    sendText: (caller: Caller, text: string, headers: Headers): Response => {
      const bytes = encoder.encode(text)
      return new Response(streamOf(roomFor(caller, bytes.byteLength), bytes), { headers })
    },
  }
}
type Downloads = ReturnType<typeof createDownloads>

const ofApp = new WeakMap<object, Downloads>()
/** The downloads of the running application. */
export function downloadsOf({ app }: Pick<Ctx, 'app'>): Downloads {
  const known = ofApp.get(app)
  if (known) return known
  const made = createDownloads()
  ofApp.set(app, made)
  return made
}
