import { afterEach, describe, expect, test } from 'bun:test'
import { createFakeStream } from '../../../testing/sink/stream.ts'
import { createFakeOutbox, findFault, startPublisher, walkSink } from '../../../testing/sink/walk.ts'
import { turn, until } from '../../../testing/until.ts'

const FIRMS = ['tnt_a', 'tnt_b']
const running: ReturnType<typeof startPublisher>[] = []
afterEach(async () => {
  for (const publisher of running.splice(0)) {
    publisher.kill()
    await publisher.ended
  }
})

function begin(rows: number, stream = createFakeStream(), now = 0) {
  const outbox = createFakeOutbox(FIRMS)
  for (let count = 0; count < rows; count += 1) outbox.write('tnt_a', count)
  const start = () => {
    const publisher = startPublisher(stream, outbox, () => now)
    running.push(publisher)
    return publisher
  }
  const sent = () => until('all is sent', () => findFault(stream.messages, outbox) === null)
  return { outbox, stream, start, sent, ids: () => stream.messages.map(({ id }) => id) }
}

describe('every event is in the stream once and in order', () => {
  test('whatever is lost or late, whoever is killed, restored or publishes too', async () => {
    const faults: string[] = []
    for (let seed = 1; seed <= 25; seed += 1) {
      const { fault } = await walkSink(seed)
      if (fault !== null) faults.push(`walk ${seed}: ${fault}`)
    }
    expect(faults).toEqual([])
  }, 120_000)

  test('the message is the stored body, under the firm and the event, with the number as its id', async () => {
    const { outbox, stream, start, sent } = begin(1)
    outbox.write('tnt_b')
    start()
    await sent()
    expect(stream.messages).toEqual([
      { place: 1, subject: 'brokerbase.tnt_a.lead.created', id: 'tnt_a:1', body: outbox.rows[0]?.body ?? '' },
      { place: 2, subject: 'brokerbase.tnt_b.lead.created', id: 'tnt_b:1', body: outbox.rows[1]?.body ?? '' },
    ])
  })

  test('after one message is lost, none of those after it is taken, and all are sent again', async () => {
    const { stream, start, sent, ids } = begin(100)
    let writes = 0
    stream.decide = (isWrite) => {
      writes += Number(isWrite)
      return isWrite && writes === 10 ? 'lost' : 'answered'
    }
    start()
    await until('some are refused', () => writes > 64)
    await sent()
    expect(ids()).toEqual(Array.from({ length: 100 }, (_, at) => `tnt_a:${at + 1}`))
    expect(writes).toBeGreaterThan(100)
  })
})

describe('a stream that knows other events', () => {
  test('later numbers at the start are of before a restore: the next number is above them', async () => {
    const { outbox, stream, start, sent, ids } = begin(10)
    const first = start()
    await sent()
    first.kill()
    await first.ended
    outbox.restore(6)
    // written before the stream was asked: its number is used already
    outbox.write('tnt_a')
    const second = start()
    await until('it asked', second.hasAsked)
    outbox.write('tnt_a')
    await sent()
    expect(second.forks).toEqual([{ tenantId: 'tnt_a', from: 7, to: 10, unsent: 1 }])
    expect(ids()).toEqual(Array.from({ length: 11 }, (_, at) => `tnt_a:${at + 1}`))
    expect(stream.messages.at(-1)?.body).toBe(outbox.rows.at(-1)?.body ?? '')
  })

  test('numbers that were given again while the stream was away are found by their events', async () => {
    const { outbox, start, sent, ids } = begin(10)
    const first = start()
    await sent()
    first.kill()
    await first.ended
    outbox.restore(6)
    for (let count = 0; count < 7; count += 1) outbox.write('tnt_a')
    const second = start()
    await sent()
    expect(second.forks).toEqual([{ tenantId: 'tnt_a', from: 7, to: 10, unsent: 4 }])
    expect(ids().at(-1)).toBe('tnt_a:13')
    expect(second.taken).toEqual([])
  })

  test('a message of somebody else is told once, and events go on after it', async () => {
    const { outbox, stream, start, sent } = begin(3)
    const publisher = start()
    await sent()
    stream.intrude({ subject: 'brokerbase.tnt_x.y', id: '', body: '' })
    outbox.write('tnt_a')
    await sent()
    expect(publisher.taken).toEqual(['somebody else published brokerbase.tnt_x.y to the stream, at 4'])
  })

  test('numbers of a firm that another server sent stop the sending', async () => {
    const { outbox, stream, start, sent, ids } = begin(3)
    const publisher = start()
    await sent()
    stream.intrude({ subject: 'brokerbase.tnt_a.lead.created', id: 'tnt_a:4', body: '{"id":"evt_other"}' })
    outbox.write('tnt_a')
    await until('it is told', () => publisher.taken.length > 2)
    expect(publisher.taken.at(-1)).toBe('the stream has tnt_a:4, which this server did not send')
    expect(ids()).toEqual(['tnt_a:1', 'tnt_a:2', 'tnt_a:3', 'tnt_a:4'])
  })

  test('a last message of a firm without a number stops the sending', async () => {
    const { stream, start } = begin(1)
    stream.intrude({ subject: 'brokerbase.tnt_a.hello', id: '', body: '' })
    const publisher = start()
    await until('it is told', () => publisher.taken.length > 0)
    expect(publisher.taken[0]).toBe('the last message of tnt_a in the stream, at 1, is of somebody else')
    expect(stream.messages).toHaveLength(1)
  })
})

describe('events that are no longer kept', () => {
  test('numbers that the outbox lacks are told, and later ones are sent', async () => {
    const { outbox, start, ids } = begin(2)
    const first = start()
    await until('all is sent', () => ids().length === 2)
    first.kill()
    await first.ended
    for (let count = 0; count < 4; count += 1) outbox.write('tnt_a')
    outbox.rows = outbox.rows.filter(({ sequence }) => sequence < 3 || sequence > 4)
    const second = start()
    await until('the others are sent', () => ids().length === 4)
    expect(ids()).toEqual(['tnt_a:1', 'tnt_a:2', 'tnt_a:5', 'tnt_a:6'])
    expect(second.gaps).toEqual([{ tenantId: 'tnt_a', from: 3, to: 4 }])
  })

  test('what the stream no longer keeps of a firm is not sent again: the age decides, to the millisecond', async () => {
    const stream = createFakeStream()
    stream.keptMs = 30
    const { outbox, start, ids } = begin(3, stream, 31)
    // these were written at 0, 1 and 2
    const publisher = start()
    await until('it asked', publisher.hasAsked)
    outbox.write('tnt_b', 31)
    await until('a later one is sent', () => ids().includes('tnt_b:1'))
    await turn()
    expect(ids()).toEqual(['tnt_a:3', 'tnt_b:1'])
    expect(publisher.gaps).toEqual([])
  })
})
