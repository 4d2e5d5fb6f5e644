import { type Clock, SECOND } from '../../clock.ts'
import type { Log } from '../../log.ts'
import { type Gap, sendFrom } from './chain.ts'
import { type Fork, type Memory, readPosition } from './position.ts'
import type { Source } from './source.ts'
import { type EventStream, SinkRefused, SinkTaken, type StreamSeen } from './stream.ts'

/** After a failure the stream is asked again after this time, which doubles up to the longest one. */
const FIRST_PAUSE = SECOND / 4
const LONGEST_PAUSE = 5 * SECOND
/** If the stream may not be used, somebody has to act, so that it is asked less often. */
const REFUSED_PAUSE = 15 * SECOND
/** Without a sign of new events they are looked for this often. */
const LOOK_EVERY = SECOND
/** How often it is looked whether the replica has what is to be sent, and how many looks are usual. */
const COVER_EVERY = 50
const USUAL_LOOKS = 100
/** The time that a server which stops waits for the connection to end. */
const FAREWELL = 2 * SECOND
/**
 * While webhooks are delivered, a backlog is sent with such a rest after each batch: a backlog of hours would else slow
 * the deliveries by an eighth. With it the sink sends some 600 events a second.
 */
const REST = (2 * SECOND) / 5
/** Somebody else’s message is told of for this long. */
const TAKEN_LASTS = 3_600 * SECOND

/** The state of the sink, for the operator. */
export type SinkSeen = {
  /** `off`: this server may not send. `waiting`: it tries to reach the stream again. */
  state: 'off' | 'running' | 'waiting'
  /** Why nothing is sent; null while it is. */
  why: string | null
  /** Why the stream may not be used; null if it may. */
  refused: string | null
  /** What somebody else did to the stream; null if nobody did in the last hour. */
  taken: string | null
  /** How many events are not known to be in the stream; null before the stream was first asked. */
  lag: number | null
  /** For how long (ms) the oldest of them has waited; before the stream was first asked, since this server began. */
  lagMs: number
  /** How many events this process sent. */
  published: number
  stream: StreamSeen | null
}

/** Sends every event of every firm to the stream while it may. */
export type Sink = {
  /** Begins to send; nothing happens if it already does. */
  start(): void
  /** Sends nothing any more from now on, until the next start. */
  pause(): void
  /** Looks for new events at once. */
  wake(): void
  /** Tells who goes first: while `isBusy`, a backlog is sent more slowly. */
  yieldTo(isBusy: () => boolean): void
  /** Ends for good, within two seconds. */
  stop(): Promise<void>
  seen(): SinkSeen
}

type SinkParts = {
  open: () => Promise<EventStream>
  source: Source
  /** Records what is committed now; the returned function says whether the replica has it. */
  owe: () => () => boolean
  /** Whether this server is the one that writes. */
  isPrimary: () => boolean
  /** Stores that events are missing in the stream. */
  noteGaps: (gaps: readonly Gap[]) => Promise<void>
  /** Stores that this server was restored to an earlier moment, and sets the next number above those of the stream. */
  settle: (fork: Fork) => Promise<void>
  clock: Pick<Clock, 'now'>
  log: Log
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Makes a bell: `wait` resolves when it is rung, or after a time. */
function createBell() {
  let ring: (() => void) | undefined
  return {
    ring: (): void => ring?.(),
    wait: async (ms: number): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<void>()
      ring = resolve
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
  }
}

/** Stores gaps one write after the other, each with all that were found meanwhile: there may be thousands. */
function createGapNotes({ noteGaps, log }: Pick<SinkParts, 'noteGaps' | 'log'>): (gap: Gap) => void {
  let found = new Map<string, Gap>()
  let isWriting = false
  async function write(): Promise<void> {
    isWriting = true
    while (found.size > 0) {
      const gaps = [...found.values()]
      found = new Map()
      log.error({ gaps }, 'events are missing in the stream, since they are no longer kept')
      await noteGaps(gaps).catch((error: unknown) => log.warn({ err: error }, 'gaps could not be noted'))
    }
    isWriting = false
  }
  return (gap) => {
    const { from = gap.from } = found.get(gap.tenantId) ?? {}
    found.set(gap.tenantId, { ...gap, from })
    if (!isWriting) void write()
  }
}

/** What the sink knows of its work. */
type Facts = Pick<SinkSeen, 'state' | 'why' | 'refused' | 'published' | 'stream'> & {
  /** When this server began to send. */
  since: number
  taken: { what: string; at: number } | null
  /** The position up to which all events are in the stream; null before it was asked. */
  reached: number | null
}

/** Returns what the operator is told. */
function describe(facts: Facts, { source, clock }: Pick<SinkParts, 'source' | 'clock'>): SinkSeen {
  const { state, why, refused, taken, published, stream, reached } = facts
  const now = clock.now()
  const behind = reached === null ? null : source.measure(reached)
  const since = behind ? behind.since : facts.since
  return {
    state,
    why,
    refused,
    taken: taken && now - taken.at < TAKEN_LASTS ? taken.what : null,
    lag: behind?.events ?? null,
    lagMs: since === null || state === 'off' ? 0 : Math.max(0, now - since),
    published,
    stream,
  }
}

/** Records why the work ended, and returns how long to wait before the stream is asked again. */
function noteFailure(facts: Facts, memory: Memory, error: unknown, { clock, log }: SinkParts): number | null {
  const why = said(error)
  const isNews = facts.why !== why
  facts.state = 'waiting'
  facts.why = why
  facts.refused = error instanceof SinkRefused ? why : null
  if (error instanceof SinkTaken) {
    facts.taken = { what: why, at: clock.now() }
    // after a single message of somebody else it goes on, unless more of them come
    if (error.place !== null) memory.last = error.place
  }
  if (isNews && (error instanceof SinkRefused || error instanceof SinkTaken)) log.error({ why }, 'events are not sent')
  else if (isNews) log.warn({ why }, 'events are not sent now')
  return error instanceof SinkRefused || error instanceof SinkTaken ? REFUSED_PAUSE : null
}

/** The work of one start: `signal` ends it. */
type Run = {
  facts: Facts
  memory: Memory
  bell: ReturnType<typeof createBell>
  gap: (gap: Gap) => void
  /** Whether others go first. */
  isBusy: () => boolean
  signal: AbortSignal
}

/** Waits for a time, or until the signal aborts. */
async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  const bell = createBell()
  signal.addEventListener('abort', bell.ring, { once: true })
  if (!signal.aborted) await bell.wait(ms)
  signal.removeEventListener('abort', bell.ring)
}

/** Waits until the replica has all events that are there now; returns the position of the last one. */
async function waitForReplica({ source, owe }: SinkParts, facts: Facts, mayGo: () => boolean): Promise<number> {
  const end = source.readEnd()
  const isCovered = owe()
  for (let looks = 0; mayGo() && !isCovered(); looks += 1) {
    if (looks === USUAL_LOOKS) facts.why = 'the replica does not have them yet'
    await Bun.sleep(COVER_EVERY)
  }
  return end
}

/** Asks the stream how far it is; after a restore to an earlier moment, the next numbers are set above its own. */
async function findPosition(parts: SinkParts, { memory }: Run, stream: EventStream) {
  const { position, forks } = await readPosition(stream, parts.source, memory)
  for (const fork of forks) {
    parts.log.error(fork, 'the stream knows events that this server does not: it was restored to an earlier moment')
    await parts.settle(fork)
  }
  return position
}

/** Sends events over one connection until something fails, which is thrown, or until the run is aborted. */
async function sendOver(parts: SinkParts, run: Run): Promise<void> {
  const { source, isPrimary, clock } = parts
  const { facts, memory, bell, gap, isBusy, signal } = run
  const stream = await parts.open()
  const hangUp = (): void => void stream.close()
  signal.addEventListener('abort', hangUp, { once: true })
  const mayGo = (): boolean => !signal.aborted && isPrimary()
  const reached = (position: number, place: number, published: number): void => {
    facts.published += published
    facts.reached = position
    memory.last = place
    if (!mayGo()) return
    facts.state = 'running'
    facts.why = null
  }
  try {
    if (!mayGo()) return
    const position = await findPosition(parts, run, stream)
    facts.stream = position.seen
    facts.refused = null
    const covered = () => waitForReplica(parts, facts, mayGo)
    const idle = () => bell.wait(LOOK_EVERY)
    const giveWay = async (): Promise<void> => {
      if (isBusy()) await pauseFor(REST, signal)
    }
    await sendFrom({ stream, source, mayGo, now: clock.now, idle, giveWay, covered, reached, gap }, position)
  } finally {
    signal.removeEventListener('abort', hangUp)
    await stream.close()
  }
}

/** Makes the sink; it does nothing before `start`. */
export function createSink(parts: SinkParts): Sink {
  const facts: Facts = {
    state: 'off',
    why: null,
    refused: null,
    taken: null,
    reached: null,
    published: 0,
    stream: null,
    since: parts.clock.now(),
  }
  const memory: Memory = { last: null, forks: new Map() }
  const bell = createBell()
  const gap = createGapNotes(parts)
  let run: AbortController | null = null
  let whole: Promise<void> = Promise.resolve()
  const others = { isBusy: () => false }

  async function work(signal: AbortSignal): Promise<void> {
    let pause = FIRST_PAUSE
    while (!signal.aborted) {
      const before = facts.published
      let longer: number | null = null
      try {
        await sendOver(parts, { facts, memory, bell, gap, isBusy: () => others.isBusy(), signal })
      } catch (error) {
        if (!signal.aborted) longer = noteFailure(facts, memory, error, parts)
      }
      pause = facts.published > before ? FIRST_PAUSE : Math.min(2 * pause, LONGEST_PAUSE)
      // new events do not end this pause
      await pauseFor(longer ?? pause, signal)
    }
  }
  const pause = (): void => {
    run?.abort()
    run = null
    facts.state = 'off'
    bell.ring()
  }
  return {
    start: () => {
      if (run) return
      run = new AbortController()
      facts.state = 'waiting'
      facts.since = parts.clock.now()
      const { signal } = run
      // an earlier run must have ended, so that two never send at once
      whole = whole.then(() => work(signal))
    },
    pause,
    wake: bell.ring,
    yieldTo: (isBusy) => void Object.assign(others, { isBusy }),
    stop: async () => {
      pause()
      await Promise.race([whole, Bun.sleep(FAREWELL)])
    },
    seen: () => describe(facts, parts),
  }
}
