import { type Gap, sendFrom } from '../../platform/events/sink/chain.ts'
import { type Fork, type Memory, readPosition } from '../../platform/events/sink/position.ts'
import type { EventRow, Source } from '../../platform/events/sink/source.ts'
import { SinkTaken } from '../../platform/events/sink/stream.ts'
import { turn, until } from '../until.ts'
import { createFakeStream } from './stream.ts'

/** An outbox in memory, which can be restored to an earlier moment. */
type FakeOutbox = Source & {
  rows: EventRow[]
  write(tenantId: string, createdAt?: number): EventRow
  /** Forgets all events but the first ones. */
  restore(kept: number): void
  raise(tenantId: string, sequence: number): void
}

const toId = (body: string): string => JSON.parse(body).id

/** Makes an empty outbox of some firms. */
export function createFakeOutbox(firms: readonly string[]): FakeOutbox {
  let written = 0
  const least = new Map<string, number>()
  const ofFirm = (tenantId: string) => outbox.rows.filter((row) => row.tenantId === tenantId)
  const outbox: FakeOutbox = {
    rows: [],
    firms: () => [...firms],
    head: (tenantId) => Math.max(ofFirm(tenantId).at(-1)?.sequence ?? 0, least.get(tenantId) ?? 0),
    findId: (tenantId, sequence) => {
      const row = ofFirm(tenantId).find((one) => one.sequence === sequence)
      return row ? toId(row.body) : null
    },
    read: (position, limit) => outbox.rows.filter((row) => row.position > position).slice(0, limit),
    readEnd: () => outbox.rows.at(-1)?.position ?? 0,
    findStart: (sent) => {
      const first = outbox.rows.find(({ tenantId, sequence }) => sequence > (sent.get(tenantId) ?? 0))
      return (first?.position ?? outbox.readEnd() + 1) - 1
    },
    measure: () => ({ events: 0, since: null }),
    write: (tenantId, createdAt = 0) => {
      const sequence = outbox.head(tenantId) + 1
      written += 1
      const body = JSON.stringify({ id: `evt_${written}`, sequence })
      const row = { position: outbox.readEnd() + 1, tenantId, sequence, event: 'lead.created', body, createdAt }
      outbox.rows.push(row)
      return row
    },
    restore: (kept) => {
      outbox.rows = outbox.rows.slice(0, kept)
      least.clear()
    },
    raise: (tenantId, sequence) => void least.set(tenantId, Math.max(least.get(tenantId) ?? 0, sequence)),
  }
  return outbox
}

/** What a publisher noticed. */
type Noticed = { forks: Fork[]; gaps: Gap[]; taken: string[] }

/** A server that sends events from an outbox to a stream until it is killed. */
export function startPublisher(
  stream: ReturnType<typeof createFakeStream>,
  outbox: FakeOutbox,
  now: () => number = () => 0,
): Noticed & { kill(): void; hasAsked(): boolean; ended: Promise<void> } {
  const memory: Memory = { last: null, forks: new Map() }
  const noticed: Noticed = { forks: [], gaps: [], taken: [] }
  let isAlive = true
  const mayGo = (): boolean => isAlive
  async function send(): Promise<void> {
    const { position, forks } = await readPosition(stream, outbox, memory)
    if (!isAlive) return
    for (const fork of forks) outbox.raise(fork.tenantId, fork.to)
    noticed.forks.push(...forks)
    const covered = () => turn().then(outbox.readEnd)
    const reached = (_: number, place: number): void => {
      memory.last = place
    }
    const gap = (found: Gap): void => void noticed.gaps.push(found)
    await sendFrom({ stream, source: outbox, covered, idle: turn, giveWay: turn, mayGo, now, reached, gap }, position)
  }
  async function work(): Promise<void> {
    for (; isAlive; await turn())
      await send().catch((error: unknown) => {
        if (!(error instanceof SinkTaken)) return
        noticed.taken.push(error.message)
        if (error.place !== null) memory.last = error.place
      })
  }
  return {
    ...noticed,
    kill: () => {
      isAlive = false
    },
    hasAsked: () => memory.last !== null,
    ended: work(),
  }
}

/** Makes random numbers from 0 up to a limit, the same ones for the same seed. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1
  return (limit) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) % limit
  }
}

/** Returns what is wrong with the numbers in a stream; null if each firm has each number once, in order. */
export function findFault(messages: readonly { id: string }[], outbox: FakeOutbox): string | null {
  const last = new Map<string, number>()
  for (const { id } of messages) {
    const [tenantId = '', number = ''] = id.split(':')
    if (!outbox.firms().includes(tenantId)) continue
    if (Number(number) !== (last.get(tenantId) ?? 0) + 1) return `${id} comes after ${last.get(tenantId) ?? 'nothing'}`
    last.set(tenantId, Number(number))
  }
  const short = outbox.firms().find((tenantId) => (last.get(tenantId) ?? 0) !== outbox.head(tenantId))
  return short === undefined ? null : `${short} has ${last.get(short)}, and not ${outbox.head(short)}`
}

/** The result of a walk: its fault, and how often each thing happened. */
type Walked = { fault: string | null; kills: number; restores: number; intrusions: number; lost: number }

/**
 * Walks at random: events are written, calls and answers are lost or late, servers are killed and restored to an
 * earlier moment, two run at once, and somebody else publishes. Says what is wrong in the end.
 */
export async function walkSink(seed: number, steps = 150): Promise<Walked> {
  const random = createRandom(seed)
  const firms = ['tnt_a', 'tnt_b', 'tnt_c']
  const stream = createFakeStream()
  const outbox = createFakeOutbox(firms)
  const walked: Walked = { fault: null, kills: 0, restores: 0, intrusions: 0, lost: 0 }
  const decide: typeof stream.decide = (isWrite) => {
    if (random(isWrite ? 25 : 12) > 0) return 'answered'
    walked.lost += 1
    return (['unanswered', 'lost', 'late'] as const)[random(3)] ?? 'lost'
  }
  stream.decide = decide
  let server = startPublisher(stream, outbox)
  const replace = async (between: () => void): Promise<void> => {
    server.kill()
    await server.ended
    between()
    server = startPublisher(stream, outbox)
    walked.kills += 1
  }
  let unsent = 0
  for (let step = 0; step < steps; step += 1) {
    const dice = random(100)
    if (dice < 60) for (let count = random(30); count >= 0; count -= 1) outbox.write(firms[random(3)] ?? 'tnt_a')
    else if (dice < 70) stream.arrive()
    else if (dice < 80) await replace(() => {})
    else if (dice < 84) {
      const other = startPublisher(stream, outbox)
      for (let turns = random(20); turns >= 0; turns -= 1) await turn()
      other.kill()
      await other.ended
    } else if (dice < 88) {
      stream.arrive()
      await replace(() => outbox.restore(outbox.rows.length - random(Math.min(outbox.rows.length, 40) + 1)))
      walked.restores += 1
      await until('the stream was asked', server.hasAsked)
      unsent += server.forks.reduce((sum, fork) => sum + fork.unsent, 0)
    } else if (dice < 90 && server.hasAsked()) {
      // nothing else may publish to the stream: who does so while messages are lost may break their order
      stream.arrive()
      stream.decide = () => 'answered'
      await until('all is sent', () => findFault(stream.messages, outbox) === null)
      stream.decide = decide
      const known = server.taken.length
      stream.intrude({ subject: 'brokerbase.tnt_x.made.up', id: '', body: 'hello' })
      outbox.write('tnt_a')
      walked.intrusions += 1
      await until('somebody else was noticed', () => server.taken.length > known)
    } else await turn()
  }
  stream.arrive()
  stream.decide = () => 'answered'
  const isDone = (): boolean => findFault(stream.messages, outbox) === null
  for (let turns = 0; turns < 2_000 && !isDone(); turns += 1) await turn()
  server.kill()
  await server.ended
  walked.fault = findFault(stream.messages, outbox) ?? (unsent > 0 ? `${unsent} events were left out` : null)
  return walked
}
