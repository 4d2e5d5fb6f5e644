import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '../../../config.ts'
import { MINUTE, systemClock } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { freePort } from '../../../testing/pebble.ts'
import { rawRequest } from '../../../testing/raw-http.ts'
import { until } from '../../../testing/until.ts'
import { deliverWebhooks } from '../../firm/webhooks/webhooks.jobs.ts'
import { signedHeaders } from '../../firm/webhooks/webhooks.sign.ts'

const snippets = join(import.meta.dir, 'snippets')
const directory = mkdtempSync(join(tmpdir(), 'brokerbase-receivers-'))
const golang = join(directory, 'receiver')

/** The receivers of the guide with their runtimes; Bun runs the first one if Node is missing. */
const RECEIVERS = [
  { name: 'receiver.mjs', needs: Bun.which('node') ?? process.execPath },
  { name: 'receiver.py', needs: Bun.which('python3') },
  { name: 'receiver.go', needs: Bun.which('go') },
] as const
for (const { name, needs } of RECEIVERS)
  if (needs === null) process.stdout.write(`Nothing here runs ${name}: its test is skipped.\n`)

/** Returns the command of a receiver. Go is compiled before, which takes long the first time. */
const buildCommand = async (name: string, needs: string): Promise<string[]> => {
  if (!name.endsWith('.go')) return [needs, join(snippets, name)]
  const build = Bun.spawn([needs, 'build', '-o', golang, join(snippets, name)], {
    env: { ...childEnvironment(), CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
    stderr: 'pipe',
  })
  expect([await build.exited, await new Response(build.stderr).text()]).toEqual([0, ''])
  return [golang]
}

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  // a receiver compares with the real time
  app.clock.set(systemClock.now())
  firm = await app.firm('alpha')
})
afterAll(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
})

const deliver = () => deliverWebhooks.run({ platform: app.platform, signal: new AbortController().signal })

/** Causes an event, and returns the status of its delivery to the subscription. */
async function happen(subscription: string, email: string): Promise<string> {
  const body = { email, firstName: 'Hook' }
  expect((await app.call('POST', '/v1/traders', { as: firm.as.operator, body })).status).toBe(201)
  await deliver()
  const deliveries = `/v1/webhooks/subscriptions/${subscription}/deliveries`
  const answer = await app.call('GET', deliveries, { as: firm.as.admin })
  return answer.body.data[0].status
}

describe('the receivers of the guide', () => {
  for (const { name, needs } of RECEIVERS)
    test.skipIf(needs === null)(
      `${name} accepts a signed delivery once, and refuses an altered or old one`,
      async () => {
        const port = freePort()
        const url = `http://127.0.0.1:${port}/hook`
        const input = { as: firm.as.admin, body: { url, events: ['trader.created'] } }
        const { id, secret } = (await app.call('POST', '/v1/webhooks/subscriptions', input)).body
        const child = Bun.spawn(await buildCommand(name, needs ?? ''), {
          env: { ...childEnvironment(), WEBHOOK_SECRET: secret, PORT: String(port) },
          stdout: 'pipe',
          stderr: 'inherit',
        })
        let out = ''
        const said = () => out.split('\n').slice(0, -1)
        const listening = (async () => {
          const decoder = new TextDecoder()
          for await (const chunk of child.stdout) out += decoder.decode(chunk, { stream: true })
        })()
        try {
          await until('it listens', () => said().length > 0)
          expect(said()).toEqual(['ready'])
          // sent as the product does, with one signature, and with two during a rotation
          expect(await happen(id, `one@${name}.test`)).toBe('delivered')
          const rotate = `/v1/webhooks/subscriptions/${id}/rotate-secret`
          expect((await app.call('POST', rotate, { as: firm.as.admin, body: {} })).status).toBe(200)
          expect(await happen(id, `two@${name}.test`)).toBe('delivered')

          const event = { id: 'evt_1', event: 'trader.created', sequence: 7, payload: { name: 'Zoë' } }
          const send = async (now: number, change: { body?: string; headers?: Record<string, string> } = {}) => {
            const body = JSON.stringify(event)
            const facts = { body, event: event.event, eventId: event.id, deliveryId: 'whd_1', attempt: 1 }
            const headers = { ...signedHeaders({ ...facts, now, secrets: [secret] }), ...change.headers }
            return (await fetch(url, { method: 'POST', body: change.body ?? body, headers })).status
          }
          const now = systemClock.now()
          expect(await send(now)).toBe(204)
          expect(await send(now - 4 * MINUTE)).toBe(204)
          for (const off of [-6 * MINUTE, 6 * MINUTE]) expect([off, await send(now + off)]).toEqual([off, 400])
          const changes = [
            { body: JSON.stringify({ ...event, sequence: 8 }) },
            { headers: { 'webhook-id': 'evt_2' } },
            { headers: { 'webhook-timestamp': String(Math.floor(now / 1000) + 1) } },
            { headers: { 'webhook-timestamp': 'now' } },
            { headers: { 'webhook-timestamp': '9'.repeat(5000) } },
            { headers: { 'webhook-signature': '' } },
            { headers: { 'webhook-signature': 'v1,AAAA v1,' } },
            { headers: { 'webhook-signature': 'v1a,not base64' } },
          ]
          for (const change of changes) expect([change, await send(now, change)]).toEqual([change, 400])
          const lines = ['POST /hook HTTP/1.1', 'Host: localhost', 'Content-Length: abc']
          expect(await rawRequest(url, lines)).toMatch(/^HTTP\/1\.[01] 400/)
          // the receiver still runs after all that
          expect(await send(now)).toBe(204)
          await until('it says what it took', () => said().length >= 4)
          expect(said()).toEqual([
            'ready',
            expect.stringMatching(/^took evt_\w{26} trader\.created \d+$/),
            expect.stringMatching(/^took evt_\w{26} trader\.created \d+$/),
            'took evt_1 trader.created 7',
          ])
        } finally {
          child.kill()
          await child.exited
          await listening
          await app.call('DELETE', `/v1/webhooks/subscriptions/${id}`, { as: firm.as.admin })
        }
      },
      180_000,
    )
})
