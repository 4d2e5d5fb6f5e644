import { join } from 'node:path'
import { openWriter } from '../platform/sqlite.ts'
import { copyDataset, type Dataset } from './dataset.ts'
import { startProduct } from './servers.ts'

const LIMIT_MS = 60_000
const INSERT = `INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, event_id, event, body, next_attempt_at, created_at)
  VALUES (?,?,?,?,?,?,?,?)`

/**
 * Returns how many deliveries of a backlog are sent in a second. `count` due deliveries are written while the server is
 * down; then it starts, and a receiver on this machine counts them. Undefined if the subscription was refused.
 */
export async function drainRate(
  small: Dataset,
  scratch: string,
  count: number,
): Promise<{ rate: number } | { reason: string }> {
  const directory = copyDataset(small, join(scratch, 'drain'))
  let arrived = 0
  let firstAt = 0
  let lastAt = 0
  const receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      await request.arrayBuffer()
      lastAt = performance.now()
      if (arrived === 0) firstAt = lastAt
      arrived += 1
      return new Response(null, { status: 204 })
    },
  })
  try {
    const first = await startProduct(directory)
    const answer = await fetch(`http://127.0.0.1:${first.port}/v1/webhooks/subscriptions`, {
      method: 'POST',
      headers: {
        cookie: `crm_session=${small.token}`,
        origin: `http://127.0.0.1:${first.port}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ url: `http://127.0.0.1:${receiver.port}/hook`, events: ['trader.created'] }),
    })
    const made: { id?: string } = await answer.json()
    await first.stop()
    if (!made.id) return { reason: `POST /v1/webhooks/subscriptions answered ${answer.status}` }

    const connection = openWriter(join(directory, 'brokerbase.db'))
    const now = Date.now()
    connection.raw.run('BEGIN IMMEDIATE')
    for (let n = 0; n < count; n += 1) {
      const event = `evt_bench${n}`
      const body = JSON.stringify({ id: event, event: 'trader.created', sequence: n, payload: { traderId: 'x' } })
      connection.run(INSERT, [small.tenantId, `dlv_bench${n}`, made.id, event, 'trader.created', body, now, now])
    }
    connection.raw.run('COMMIT')
    connection.close()

    const second = await startProduct(directory)
    const until = performance.now() + LIMIT_MS
    while (arrived < count && performance.now() < until) await Bun.sleep(20)
    await second.stop()
    if (arrived < 2) return { reason: `${arrived} of ${count} deliveries arrived` }
    return { rate: (arrived - 1) / ((lastAt - firstAt) / 1000) }
  } finally {
    await receiver.stop(true)
  }
}
