import { expect, test } from 'bun:test'
import { createSigns, readClockAhead } from './primary-signs.ts'

test('a new heartbeat and a new renewal are signs, the same ones again are none', () => {
  let now = 0
  const signs = createSigns(() => now)
  now = 10
  signs.heartbeat(null)
  signs.renewal(undefined)
  expect(signs.silentFor()).toBe(10)
  signs.heartbeat(1_000)
  expect(signs.silentFor()).toBe(0)
  now = 20
  signs.heartbeat(1_000)
  signs.renewal('a 1')
  expect(signs.silentFor()).toBe(0)
  now = 30
  signs.heartbeat(1_000)
  signs.renewal('a 1')
  expect(signs.silentFor()).toBe(10)
})

test('the clock of a server is read from its answer, and is unknown if it does not answer', async () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response('', { headers: { date: new Date(1_700_000_010_000).toUTCString() } }),
  })
  const url = server.url.href
  expect(await readClockAhead(url, () => 1_700_000_000_000)).toBe(10_500)
  await server.stop(true)
  expect(await readClockAhead(url, () => 0)).toBeNull()
  // as our server does, Bun sends a date of its own with an answer to GET
  const ours = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
  expect(await readClockAhead(ours.url.href, () => 0)).toBeGreaterThan(Date.UTC(2026, 0))
  await ours.stop(true)
})
