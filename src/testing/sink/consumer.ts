import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import type { SinkPlace } from '../../platform/events/sink/sink-place.ts'

/** A consumer that reads a stream from its beginning and never asks for a message twice. */
export type Consumer = {
  /** Returns the last number of each firm. */
  numbers(): ReadonlyMap<string, number>
  /** Returns what was wrong with the numbers: one came twice, or not in order, or not at all. */
  faults(): readonly string[]
  count(): number
  stop(): Promise<void>
}

/** Follows a stream over every failure of its servers. */
export async function followStream({ servers, stream }: SinkPlace): Promise<Consumer> {
  const connection = await connect({ servers, maxReconnectAttempts: -1, reconnectTimeWait: 500 })
  const numbers = new Map<string, number>()
  const faults: string[] = []
  let count = 0
  const take = (id: string): void => {
    const [tenantId = '', number = ''] = id.split(':')
    const before = numbers.get(tenantId) ?? 0
    if (Number(number) !== before + 1) faults.push(`${id} came after ${before}`)
    numbers.set(tenantId, Number(number))
    count += 1
  }
  let isOver = false
  let place = 0
  async function read(): Promise<void> {
    while (!isOver)
      try {
        const consumer = await jetstream(connection).consumers.get(stream, { opt_start_seq: place + 1 })
        const messages = await consumer.consume({ idle_heartbeat: 2_000 })
        for await (const message of messages) {
          // an ordered consumer that is made anew may begin with what was read already
          if (message.seq <= place) continue
          if (message.seq !== place + 1) faults.push(`the message at ${place + 1} was left out`)
          place = message.seq
          take(message.headers?.get('Nats-Msg-Id') ?? '')
          if (isOver) break
        }
      } catch {
        await Bun.sleep(500)
      }
  }
  void read()
  return {
    numbers: () => numbers,
    faults: () => faults,
    count: () => count,
    stop: async () => {
      isOver = true
      await connection.close()
    },
  }
}
