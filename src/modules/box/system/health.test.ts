import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { GIB } from '../../../platform/bytes.ts'
import { SECOND } from '../../../platform/clock.ts'
import { createReadiness } from '../../../platform/readiness.ts'
import { createTestApp, type TestApp } from '../../../testing/app.ts'

let app: TestApp
beforeEach(() => {
  jest.useFakeTimers()
  app = createTestApp()
})
afterEach(() => {
  jest.useRealTimers()
  return app.close()
})

test.each(['/health', '/ready'])('the path %s answers under any host name, with the status only', async (path) => {
  for (const host of ['localhost', '10.0.0.7:3000', 'balancer.example']) {
    const answer = await app.call('GET', path, { headers: { host } })
    expect([answer.status, answer.body]).toEqual([200, { status: path === '/health' ? 'ok' : 'ready' }])
  }
})

test('only /health and /ready are open under any host name', async () => {
  for (const path of ['/health?/v1/setup', '/health/', '/health/v1/setup', '/healthy', '/ready?x', '/v1/setup'])
    for (const host of ['x', 'balancer.example']) {
      const request = new Request(`http://${host}${path}`, { headers: { host } })
      expect([path, host, (await app.send(request)).status]).toEqual([path, host, 421])
    }
})

test('the server is not ready while commits fail, names the part, and becomes ready again', async () => {
  const { writer, connection } = app.platform
  let isBroken = true
  writer.beforeCommit(() => {
    if (isBroken) throw new Error('no space left on the disk')
  })
  await expect(writer.submit(() => connection.run('DELETE FROM box_facts'))).rejects.toThrow('could not commit')
  const refused = await app.call('GET', '/ready')
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'system.not_ready',
    '5',
  ])
  expect(refused.body.detail).toContain('Not ready: writes.')
  expect((await app.call('GET', '/health')).status).toBe(200)
  isBroken = false
  // the result is remembered for a second, since anyone may ask
  expect((await app.call('GET', '/ready')).status).toBe(503)
  jest.advanceTimersByTime(SECOND)
  expect((await app.call('GET', '/ready')).status).toBe(200)
  expect(writer.isFailing()).toBe(false)
})

test('little disk space and a log that is too large are shown to the operator with figures', async () => {
  const parts = { ...app.platform, dataDir: app.platform.config.dataDir, now: () => 0 }
  const vitals = await createReadiness({ ...parts, logBytes: () => 3 * GIB })()
  expect(vitals.map(({ name, ok }) => [name, ok])).toEqual([
    ['disk', true],
    ['log', false],
    ['writes', true],
  ])
  expect(vitals[1]?.text).toContain('3072 MiB')
  const gone = await createReadiness({ ...parts, dataDir: '/nowhere/at/all', logBytes: () => 0 })()
  expect(gone.map(({ ok }) => ok)).toEqual([false])
})

test('the server logs one line when it becomes unready, and one when it is ready again', async () => {
  const told: string[] = []
  const tell = (_: unknown, message?: string): void => void told.push(message ?? String(_))
  let bytes = 0
  const log = { debug: tell, info: tell, warn: tell, error: tell }
  const parts = { ...app.platform, dataDir: app.platform.config.dataDir, now: () => 0, log }
  const look = createReadiness({ ...parts, logBytes: () => bytes })
  for (const next of [3 * GIB, 3 * GIB, 0]) {
    bytes = next
    await look()
    jest.advanceTimersByTime(SECOND)
  }
  expect(told).toEqual(['this server is not ready to take work', 'this server is ready to take work again'])
})
