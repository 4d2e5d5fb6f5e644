import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../config.ts'
import { verifyChain } from '../platform/audit/verify.ts'
import { DAY, HOUR, systemClock } from '../platform/clock.ts'
import { ask, NO_LIMITS, PASSWORD, signIn } from '../testing/executable.ts'
import { type Running, startServer } from './serve.ts'
import { setup } from './setup.ts'

let dataDir: string
let server: Running
let offset = 0
beforeEach(async () => {
  offset = 0
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-clock-'))
  const env = { ...NO_LIMITS, BROKERBASE_LOG_LEVEL: 'error' }
  const config = loadConfig({ 'data-dir': dataDir, port: '0' }, { env })
  await setup(config, { tenant: 'clock', email: 'owner@clock.test', password: PASSWORD })
  server = await startServer(config, async () => {}, { ...systemClock, now: () => systemClock.now() + offset })
})
afterEach(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a clock that jumps back an hour, forward 30 days and home again loses and doubles nothing', async () => {
  const made: string[] = []
  let cookie = ''
  const write = async (): Promise<number> => {
    const { status, json } = await ask(server.url, 'POST', '/v1/traders', {
      headers: { cookie, origin: server.url, 'idempotency-key': `jump-${made.length}` },
      body: { email: `t${made.length}@clock.test`, firstName: 'Jump' },
    })
    if (status === 201) made.push(String(json.id))
    return status
  }
  const enter = async () => {
    cookie = await signIn(server.url, 'owner@clock.test', PASSWORD)
  }
  await enter()
  expect(await write()).toBe(201)

  // back: sessions stay, and new entries come after older ones
  offset = -HOUR
  expect(await write()).toBe(201)
  await enter()
  expect(await write()).toBe(201)

  // forward: sessions have expired, and everyone signs in again
  offset = 30 * DAY
  expect(await write()).toBe(401)
  await enter()
  expect(await write()).toBe(201)

  // back to the right time
  offset = 0
  await enter()
  expect(await write()).toBe(201)

  const { reader, secrets } = server.platform
  const tenantId = reader.get<{ id: string }>('SELECT id FROM tenants')?.id ?? ''
  expect(new Set(made).size).toBe(5)
  const stored = reader.all<{ id: string }>('SELECT id FROM traders').map(({ id }) => id)
  expect(stored.toSorted()).toEqual(made.toSorted())
  expect(await verifyChain(reader, secrets, tenantId)).toMatchObject({ intact: true })
  // events are in the order of the commits, whatever the clock said
  const events = reader.all<{ sequence: number; traderId: string }>(
    `SELECT sequence, trader_id AS traderId FROM events WHERE event = 'trader.created' ORDER BY sequence`,
  )
  expect(events.map(({ traderId }) => traderId)).toEqual(made)
  const ready = await ask(server.url, 'GET', '/ready')
  expect(ready.status).toBe(200)
})
