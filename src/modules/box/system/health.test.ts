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

test.each(['/health', '/ready'])('%s answers under any host name, and tells nothing but that', async (path) => {
  for (const host of ['localhost', '10.0.0.7:3000', 'balancer.example']) {
    const answer = await app.call('GET', path, { headers: { host } })
    expect([answer.status, answer.body]).toEqual([200, { status: path === '/health' ? 'ok' : 'ready' }])
  }
})

test('nothing else is let in by the side of it', async () => {
  for (const path of ['/health?/v1/setup', '/health/', '/health/v1/setup', '/healthy', '/ready?x', '/v1/setup'])
    for (const host of ['x', 'balancer.example']) {
      const request = new Request(`http://${host}${path}`, { headers: { host } })
      expect([path, host, (await app.send(request)).status]).toEqual([path, host, 421])
    }
})

test('while commits fail it is not ready, says which part, and is ready again by itself', async () => {
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
  // what was seen holds for a second, since anybody may ask
  expect((await app.call('GET', '/ready')).status).toBe(503)
  jest.advanceTimersByTime(SECOND)
  expect((await app.call('GET', '/ready')).status).toBe(200)
  expect(writer.isFailing()).toBe(false)
})

test('little room on the disk and a log without end are said in figures to the operator', async () => {
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

test('the log of the server says once that it is not ready, and once that it is again', async () => {
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
