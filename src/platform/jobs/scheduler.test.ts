import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { systemCtx } from '../access/ctx.ts'
import { defineJob, type Job } from './job.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

let app: TestApp
let schedulers: Scheduler[]
beforeEach(() => {
  app = createTestApp()
  schedulers = []
})
afterEach(async () => {
  await Promise.all(schedulers.map((scheduler) => scheduler.stop()))
  await app.close()
})

const scheduler = (...jobs: Job[]): Scheduler => {
  const made = createScheduler(app.platform, jobs)
  schedulers.push(made)
  return made
}
const runs = () =>
  app.platform.reader.all<{ name: string; status: string; detail: string }>(
    'SELECT name, status, detail FROM job_runs ORDER BY id',
  )
const NEVER = 3_600_000

test('repeats after its pause, and never beside itself, whoever asks for it', async () => {
  let active = 0
  let most = 0
  let count = 0
  const made = scheduler(
    defineJob({
      name: 'busy',
      every: 1,
      run: async () => {
        active += 1
        most = Math.max(most, active)
        count += 1
        await Bun.sleep(5)
        active -= 1
        return null
      },
    }),
  )
  made.start()
  const asked = await Promise.all(Array.from({ length: 10 }, () => made.runNow('busy')))
  // the start woke it already
  expect(asked).not.toContain(true)
  for (let wait = 0; wait < 400 && count <= 3; wait += 1) await Bun.sleep(5)
  expect(count).toBeGreaterThan(3)
  expect(most).toBe(1)
  await made.stop()
  const before = count
  await Bun.sleep(20)
  expect(count).toBe(before)
})

test('what it did is noted, a run that found nothing is not, and an unknown job is none', async () => {
  const made = scheduler(
    defineJob({ name: 'worker', every: NEVER, run: async () => 'x'.repeat(1000) }),
    defineJob({ name: 'idler', every: NEVER, run: async () => null }),
  )
  expect(await made.runNow('worker')).toBe(true)
  expect(await made.runNow('idler')).toBe(true)
  expect(await made.runNow('nobody')).toBe(false)
  expect(runs()).toEqual([{ name: 'worker', status: 'done', detail: 'x'.repeat(500) }])
})

test('a failure is noted and logged, stops nothing, and the next run comes', async () => {
  let count = 0
  const made = scheduler(
    defineJob({
      name: 'unlucky',
      every: 1,
      run: async () => {
        count += 1
        if (count === 1) throw new Error('the first time')
        return count === 2 ? 'the second time' : null
      },
    }),
  )
  made.start()
  for (let wait = 0; wait < 1000 && count < 3; wait += 1) await Bun.sleep(5)
  expect(count).toBeGreaterThan(2)
  await made.stop()
  expect(runs()).toEqual([
    { name: 'unlucky', status: 'failed', detail: 'the first time' },
    { name: 'unlucky', status: 'done', detail: 'the second time' },
  ])
})

test('stopping tells what runs, and waits for it', async () => {
  const steps: string[] = []
  const made = scheduler(
    defineJob({
      name: 'patient',
      every: NEVER,
      run: async ({ signal }) => {
        steps.push('begun')
        while (!signal.aborted) await Bun.sleep(1)
        await Bun.sleep(20)
        steps.push('ended')
        return 'stopped in the middle'
      },
    }),
  )
  made.start()
  await Bun.sleep(5)
  await made.stop()
  expect(steps).toEqual(['begun', 'ended'])
  expect(runs().map(({ detail }) => detail)).toEqual(['stopped in the middle'])
})

test('a run that a crash cut off is called so at the next start', async () => {
  const { writer, connection } = app.platform
  await writer.submit(() =>
    connection.run(`INSERT INTO job_runs (id, name, started_at, status) VALUES ('run_x', 'old', 0, 'running')`),
  )
  const made = scheduler()
  made.start()
  await writer.submit(() => null)
  expect(runs()).toEqual([{ name: 'old', status: 'interrupted', detail: null }] as never)
})

test('events wake a job soon after their commit, many of them once; a write without events does not', async () => {
  const firm = await app.firm('alpha')
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  let count = 0
  const made = scheduler(
    defineJob({
      name: 'listener',
      every: NEVER,
      onEvents: true,
      run: async () => {
        count += 1
        return null
      },
    }),
  )
  made.start()
  await Bun.sleep(10)
  expect(count).toBe(1)
  await ctx.write('test.quiet', (tx) => tx.audit({ entity: 'test' }) ?? null)
  await Bun.sleep(50)
  expect(count).toBe(1)
  for (let index = 0; index < 5; index += 1)
    await ctx.write('test.event', (tx) => {
      tx.emit('trader.created', { traderId: 'x', status: 'active', kycLevel: 0, version: 1 })
      return null
    })
  await Bun.sleep(80)
  expect(count).toBe(2)
})

test('events that come while it runs wake it once more when it is through, and not beside itself', async () => {
  const firm = await app.firm('alpha')
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  let active = 0
  let most = 0
  let count = 0
  const made = scheduler(
    defineJob({
      name: 'slow listener',
      every: NEVER,
      onEvents: true,
      run: async () => {
        count += 1
        active += 1
        most = Math.max(most, active)
        await Bun.sleep(100)
        active -= 1
        return null
      },
    }),
  )
  made.start()
  await Bun.sleep(5)
  await ctx.write('test.event', (tx) => {
    tx.emit('trader.created', { traderId: 'x', status: 'active', kycLevel: 0, version: 1 })
    return null
  })
  await Bun.sleep(60)
  expect([count, most]).toEqual([1, 1])
  await Bun.sleep(100)
  expect([count, most]).toEqual([2, 1])
})
