import { afterEach, describe, expect, test } from 'bun:test'
import { createFakeStream } from '../../../testing/sink/stream.ts'
import { createFakeOutbox } from '../../../testing/sink/walk.ts'
import { turn, until } from '../../../testing/until.ts'
import { createLog } from '../../log.ts'
import type { Gap } from './chain.ts'
import type { Fork } from './position.ts'
import { createSink, type Sink } from './sink.ts'
import { SinkRefused } from './stream.ts'

let sink: Sink | undefined
afterEach(() => sink?.stop())

function begin() {
  const stream = createFakeStream()
  const outbox = createFakeOutbox(['tnt_a'])
  const facts = { isPrimary: true, isCovered: true, now: 1_000, asked: 0, gaps: [] as Gap[], forks: [] as Fork[] }
  const lines: string[] = []
  sink = createSink({
    open: () => Promise.resolve(stream),
    source: {
      ...outbox,
      read: (...at) => outbox.read(...at),
      measure: (at) => ({ events: outbox.rows.length - at, since: 0 }),
    },
    owe: () => {
      facts.asked += 1
      return () => facts.isCovered
    },
    isPrimary: () => facts.isPrimary,
    noteGaps: async (gaps) => void facts.gaps.push(...gaps),
    settle: async (fork) => {
      facts.forks.push(fork)
      outbox.raise(fork.tenantId, fork.to)
    },
    clock: { now: () => facts.now },
    log: createLog({ level: 'warn', write: (line) => void lines.push(line) }),
  })
  return { stream, outbox, facts, lines, sink, ids: () => stream.messages.map(({ id }) => id) }
}

describe('the sink', () => {
  test('sends what is written, and says that it runs and how far it is', async () => {
    const { outbox, sink, ids } = begin()
    expect(sink.seen()).toMatchObject({ state: 'off', lag: null, lagMs: 0, published: 0 })
    outbox.write('tnt_a')
    sink.start()
    sink.start()
    await until('it is sent', () => sink.seen().published === 1)
    expect(sink.seen()).toMatchObject({ state: 'running', why: null, lag: 0 })
    outbox.write('tnt_a')
    sink.wake()
    await until('the next one is sent', () => sink.seen().published === 2)
    expect(ids()).toEqual(['tnt_a:1', 'tnt_a:2'])
  })

  test('rests after a batch of a backlog while others go first, and asks nobody otherwise', async () => {
    const { outbox, sink, ids } = begin()
    const sentWhenAsked: number[] = []
    sink.yieldTo(() => sentWhenAsked.push(ids().length) === 1)
    for (let count = 0; count < 600; count += 1) outbox.write('tnt_a')
    sink.start()
    await until('all are sent', () => sink.seen().published === 600)
    expect(sentWhenAsked).toEqual([256, 512])
    outbox.write('tnt_a')
    sink.wake()
    await until('a new one is sent', () => sink.seen().published === 601)
    expect(sentWhenAsked).toHaveLength(2)
  })

  test('sends an event only once the replica has it', async () => {
    const { outbox, facts, sink, ids } = begin()
    sink.start()
    await until('it runs', () => sink.seen().state === 'running')
    facts.isCovered = false
    outbox.write('tnt_a')
    await until('the replica is asked', () => facts.asked > 0)
    for (let turns = 0; turns < 50; turns += 1) await turn()
    expect(ids()).toEqual([])
    facts.isCovered = true
    await until('it is sent', () => ids().length === 1)
  })

  test('sends nothing once another server took over, and nothing after it was stopped', async () => {
    const { outbox, facts, sink, ids } = begin()
    sink.start()
    await until('it runs', () => sink.seen().state === 'running')
    facts.isPrimary = false
    sink.pause()
    outbox.write('tnt_a')
    sink.wake()
    for (let turns = 0; turns < 50; turns += 1) await turn()
    expect(ids()).toEqual([])
    expect(sink.seen().state).toBe('off')
    facts.isPrimary = true
    sink.start()
    await until('it is sent', () => ids().length === 1)
    await sink.stop()
    outbox.write('tnt_a')
    for (let turns = 0; turns < 50; turns += 1) await turn()
    expect(ids()).toEqual(['tnt_a:1'])
  })

  test('tells that the stream is refused, and why', async () => {
    const { stream, sink, lines } = begin()
    stream.look = () => Promise.reject(new SinkRefused('the stream EVENTS has the subjects orders.>'))
    sink.start()
    await until('it is refused', () => sink.seen().refused !== null)
    expect(sink.seen()).toMatchObject({ state: 'waiting', refused: 'the stream EVENTS has the subjects orders.>' })
    expect(lines).toEqual([expect.stringContaining('events are not sent')])
  })

  test('before the stream was asked, it is behind since it began; somebody else is told for an hour', async () => {
    const { stream, outbox, facts, sink } = begin()
    stream.decide = () => 'lost'
    sink.start()
    await until('it failed', () => sink.seen().why === 'no answer')
    facts.now += 90_000
    expect(sink.seen()).toMatchObject({ lag: null, lagMs: 90_000 })
    stream.decide = () => 'answered'
    await until('it runs', () => sink.seen().state === 'running')
    stream.intrude({ subject: 'brokerbase.tnt_x.y', id: '', body: '' })
    outbox.write('tnt_a')
    sink.wake()
    await until('it is told', () => sink.seen().taken !== null)
    facts.now += 3_599_999
    expect(sink.seen().taken).toStartWith('somebody else published')
    facts.now += 1
    expect(sink.seen().taken).toBeNull()
  })

  test('notes gaps, and forks before the next number is set', async () => {
    const { stream, outbox, facts, sink, ids } = begin()
    stream.intrude({ subject: 'brokerbase.tnt_a.lead.created', id: 'tnt_a:1', body: '{"id":"evt_before"}' })
    sink.start()
    await until('it is noted', () => facts.forks.length > 0)
    expect(facts.forks).toEqual([{ tenantId: 'tnt_a', from: 1, to: 1, unsent: 0 }])
    outbox.raise('tnt_a', 3)
    outbox.write('tnt_a')
    sink.wake()
    await until('it is sent', () => ids().length === 2)
    expect(ids()).toEqual(['tnt_a:1', 'tnt_a:4'])
    expect(facts.gaps).toEqual([{ tenantId: 'tnt_a', from: 2, to: 3 }])
  })
})
