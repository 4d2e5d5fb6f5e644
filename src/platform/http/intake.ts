import { say } from '../../words/say.ts'
import { KIB, MIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { createPatience, type Patience } from './patience.ts'
import { Problem } from './problem.ts'

/** Bytes of bodies that may be on their way in at once: from one client network, and in all. */
type Share = { network: number; total: number }
/**
 * Who sends a body decides which share it comes out of: strangers, callbacks of gateways, clients
 * and uploads can never use up what staff and their programs need. src/README “Bounded work”.
 */
const SHARES = {
  public: { network: 4 * MIB, total: 16 * MIB },
  callback: { network: 4 * MIB, total: 16 * MIB },
  trader: { network: 4 * MIB, total: 16 * MIB },
  upload: { network: 48 * MIB, total: 96 * MIB },
  staff: { network: 48 * MIB, total: 96 * MIB },
} as const satisfies Readonly<Record<string, Share>>
type Sender = keyof typeof SHARES

/** A body that declares no more than this is read in one piece. */
const SMALL = 16 * KIB
/** What a body counts for at least: its connection and its headers take memory too. */
const LEAST = 4 * KIB
/** A body that is so far behind its pace gives way to one that is not. */
const STALLED = 5 * SECOND

const busy = (status: 429 | 503, detail: string) =>
  new Problem(status, status === 429 ? 'too_many_bytes' : 'busy', detail, [], { 'retry-after': '5' })
const networkFull = () => busy(429, say('problems.error.network_sends_too_much'))
const allFull = () => busy(503, say('problems.error.all_send_too_much'))

/** Who sends a body: the share it comes out of, and whose it is in there, say the firm and in the firm the caller. */
export type Origin = { sender: Sender; network: string; holder: readonly string[] }
/** How one body is read: its limit, what is said where it is larger, who sends it. */
export type Reading = Origin & { maxBytes: number; tooLarge: () => Problem }
/** A body on its way in, and the bytes that it counts for. */
type Arriving = Origin & { bytes: number; patience: Patience }

/**
 * Reads bodies piece by piece, never beyond the limit, and keeps what is on its way in at any time within its share.
 * A full share turns nobody away who holds little of it: whoever holds most gives way.
 */
export function createIntake(shares: Readonly<Record<Sender, Share>> = SHARES) {
  const arriving = new Set<Arriving>()
  const held = new Map<string, number>()
  const patienceWith = createPatience()

  const count = (body: Arriving, bytes: number): void => {
    for (const key of [body.sender, `${body.sender}\n${body.network}`]) {
      const now = (held.get(key) ?? 0) + bytes
      if (now > 0) held.set(key, now)
      else held.delete(key)
    }
  }
  const release = (body: Arriving): void => {
    if (arriving.delete(body)) count(body, -body.bytes)
  }
  /** Counts what came of a body, and makes room for it; throws where it is the body itself that gives way. */
  const take = (body: Arriving, bytes: number): void => {
    // it gave way to another one while this piece was being handed over
    if (!arriving.has(body)) return
    body.bytes += bytes
    count(body, bytes)
    const { sender, network } = body
    const { network: ofNetwork, total } = shares[sender]
    const makeRoom = (key: string, most: number, full: () => Problem, isOf: (other: Arriving) => boolean): void => {
      while ((held.get(key) ?? 0) > most) {
        const loser = givesWay([...arriving].filter(isOf), body)
        if (loser === body) throw full()
        release(loser)
        loser.patience.end(full())
      }
    }
    const inShare = (other: Arriving): boolean => other.sender === sender
    makeRoom(`${sender}\n${network}`, ofNetwork, networkFull, (other) => inShare(other) && other.network === network)
    makeRoom(sender, total, allFull, inShare)
  }

  const readPieces = async (body: Arriving, reader: Reader, { maxBytes, tooLarge }: Reading): Promise<Uint8Array> => {
    const parts = createParts()
    let size = 0
    for (;;) {
      const { done, value } = await body.patience.wait(reader.read())
      if (done) return parts.joined(size)
      size += value.byteLength
      if (size > maxBytes) throw tooLarge()
      body.patience.arrived(value.byteLength)
      // the first bytes are those that it counted for from the beginning
      take(body, Math.max(LEAST, size) - body.bytes)
      parts.add(value)
      // What came meanwhile is one piece then: read at once, each chunk of one byte would be a piece of its own.
      await afterOthers()
    }
  }

  return {
    /** Bytes held now, for tests and metrics. */
    held: (): number => [...arriving].reduce((sum, { bytes }) => sum + bytes, 0),
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
      arriving.add(body)
      try {
        take(body, Math.max(LEAST, isSmall ? declared : 0))
        if (reader) return await readPieces(body, reader, reading)
        const bytes = await body.patience.wait(request.bytes())
        if (bytes.byteLength > maxBytes) throw tooLarge()
        return bytes
      } catch (error) {
        stop()
        throw error
      } finally {
        release(body)
      }
    },
  }
}
type Reader = ReadableStreamDefaultReader<Uint8Array>
const afterOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * Which of the bodies gives way where there is no room for all: the slowest of whoever holds most, of the firms
 * first and then inside the firm. Where the newest is of those, it waits itself, unless an older one has stalled.
 */
function givesWay(bodies: readonly Arriving[], newest: Arriving): Arriving {
  let heaviest = bodies
  for (const level of newest.holder.keys()) heaviest = heaviestOf(heaviest, level)
  const losers = heaviest.includes(newest) ? heaviest.filter(({ patience }) => patience.behind() > STALLED) : heaviest
  return (
    losers.reduce<Arriving | undefined>(
      (slowest, body) => (slowest && slowest.patience.behind() >= body.patience.behind() ? slowest : body),
      undefined,
    ) ?? newest
  )
}

/** The bodies of whoever holds most, by one level of `holder`; of equals, of whoever came first. */
function heaviestOf(bodies: readonly Arriving[], level: number): readonly Arriving[] {
  let heaviest: readonly Arriving[] = []
  let most = -1
  for (const group of Map.groupBy(bodies, ({ holder }) => holder[level]).values()) {
    const sum = group.reduce((bytes, body) => bytes + body.bytes, 0)
    if (sum > most) [heaviest, most] = [group, sum]
  }
  return heaviest
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
