import type { EventStream, Outgoing, Stored } from '../../platform/events/sink/stream.ts'
import { turn } from '../until.ts'

/** What becomes of a call: it is answered, its answer is lost, it is lost itself, or it arrives later than it may. */
type Fate = 'answered' | 'unanswered' | 'lost' | 'late'

/** A stream in memory that loses calls and answers as it is told. */
type FakeStream = EventStream & {
  messages: Stored[]
  /** Decides about the next call. */
  decide: (isWrite: boolean) => Fate
  /** Lets the messages arrive that are late. */
  arrive(): void
  /** Appends a message whatever is expected, as another program does. */
  intrude(message: Outgoing): void
  keptMs: number
}

/** Makes an empty stream that answers every call. */
export function createFakeStream(): FakeStream {
  const messages: Stored[] = []
  let late: (() => void)[] = []
  const append = (message: Outgoing, after: number): number => {
    if (after !== messages.length) throw new Error(`wrong last sequence: ${messages.length}`)
    messages.push({ ...message, place: messages.length + 1 })
    return messages.length
  }
  const isIn = (subject: string, tenantId?: string): boolean =>
    tenantId === undefined || subject.startsWith(`brokerbase.${tenantId}.`)
  async function read<T>(answer: () => T): Promise<T> {
    await turn()
    if (stream.decide(false) !== 'answered') throw new Error('no answer')
    return answer()
  }
  const stream: FakeStream = {
    messages,
    keptMs: 0,
    decide: () => 'answered',
    arrive: () => {
      for (const land of late) land()
      late = []
    },
    intrude: (message) => void append(message, messages.length),
    look: () => read(() => ({ last: messages.length, keptMs: stream.keptMs, replicas: 1 })),
    readLast: (tenantId) => read(() => messages.findLast(({ subject }) => isIn(subject, tenantId)) ?? null),
    readFrom: (place, tenantId) =>
      read(() => messages.find((stored) => stored.place >= place && isIn(stored.subject, tenantId)) ?? null),
    publish: async (message, after) => {
      const fate = stream.decide(true)
      const land = (): void => {
        if (after === messages.length) append(message, after)
      }
      if (fate === 'late') late.push(land)
      if (fate === 'unanswered') land()
      const place = fate === 'answered' ? append(message, after) : 0
      await turn()
      if (place === 0) throw new Error('no answer')
      return place
    },
    closed: new Promise(() => {}),
    close: () => Promise.resolve(),
  }
  return stream
}
