import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { join } from 'node:path'
import { createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { until } from '../../testing/until.ts'
import { systemCtx } from '../access/ctx.ts'
import { HOUR, MINUTE, SECOND } from '../clock.ts'
import { createTickReader, openReader } from '../sqlite.ts'
import type { Sight } from '../standby/sight.ts'
import { defineJob, type Job } from './job.ts'
import { createScheduler, type Scheduler } from './scheduler.ts'

let app: TestApp
let schedulers: Scheduler[]
beforeEach(() => {
  app = createTestApp()
  schedulers = []
  jest.useFakeTimers()
})
afterEach(async () => {
  jest.useRealTimers()
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

/** Creates a scheduler with one job, each of whose runs lasts until it is released. */
function heldJob(job: Partial<Job>) {
  const seen = { count: 0, active: 0, most: 0 }
  let turn = Promise.withResolvers<void>()
  const release = (): void => {
    turn.resolve()
    turn = Promise.withResolvers()
  }
  const made = scheduler(
    defineJob({
      name: 'held',
      every: HOUR,
      run: async ({ signal }) => {
        signal.addEventListener('abort', release)
        seen.count += 1
        seen.active += 1
        seen.most = Math.max(seen.most, seen.active)
        await turn.promise
        seen.active -= 1
        return null
      },
      ...job,
    }),
  )
  const ended = () => until('the job is through', () => made.list().every(({ isRunning }) => !isRunning))
  return { made, seen, ended, release }
}

test('a job repeats after its pause, and never has two runs at once', async () => {
  const { made, seen, release, ended } = heldJob({ every: MINUTE })
  made.start()
  const asked = await Promise.all(Array.from({ length: 10 }, () => made.runNow('held')))
  // the start woke it already
  expect(asked).not.toContain(true)
  for (const count of [1, 2, 3]) {
    jest.advanceTimersByTime(HOUR)
    expect(seen).toEqual({ count, active: 1, most: 1 })
    release()
    await ended()
    jest.advanceTimersByTime(MINUTE - 1)
    expect(seen).toEqual({ count, active: 0, most: 1 })
    jest.advanceTimersByTime(1)
    expect(seen).toEqual({ count: count + 1, active: 1, most: 1 })
  }
  release()
  await ended()
  // other parts of the application may have timers too
  const timers = jest.getTimerCount()
  const stopped = made.stop()
  expect(jest.getTimerCount()).toBe(timers - 1)
  await stopped
  jest.advanceTimersByTime(HOUR)
  expect(seen.count).toBe(4)
})

test('the scheduler notes a run that did something and none that found nothing, and refuses an unknown job', async () => {
  const made = scheduler(
    defineJob({ name: 'worker', every: HOUR, run: async () => 'x'.repeat(1000) }),
    defineJob({ name: 'idler', every: HOUR, run: async () => null }),
  )
  expect(await made.runNow('worker')).toBe(true)
  expect(await made.runNow('idler')).toBe(true)
  expect(await made.runNow('nobody')).toBe(false)
  expect(runs()).toEqual([{ name: 'worker', status: 'done', detail: 'x'.repeat(500) }])
})

test('a failed run of a job is noted and logged, and the next run follows', async () => {
  let count = 0
  const made = scheduler(
    defineJob({
      name: 'unlucky',
      every: MINUTE,
      run: async () => {
        count += 1
        if (count === 1) throw new Error('the first time')
        return count === 2 ? 'the second time' : null
      },
    }),
  )
  made.start()
  for (const runs of [1, 2, 3]) {
    await until('it ran', () => count === runs && made.list().every(({ isRunning }) => !isRunning))
    jest.advanceTimersByTime(MINUTE)
  }
  await made.stop()
  expect(runs()).toEqual([
    { name: 'unlucky', status: 'failed', detail: 'the first time' },
    { name: 'unlucky', status: 'done', detail: 'the second time' },
  ])
})

test('stopping the scheduler signals the running jobs and waits for them', async () => {
  const steps: string[] = []
  const told = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  const made = scheduler(
    defineJob({
      name: 'patient',
      every: HOUR,
      run: async ({ signal }) => {
        steps.push('begun')
        signal.addEventListener('abort', () => told.resolve())
        await rest.promise
        steps.push('ended')
        return 'stopped in the middle'
      },
    }),
  )
  made.start()
  const stopped = made.stop().then(() => steps.push('stopped'))
  await told.promise
  // once this write is done, so is everything that waits for nothing else
  await app.platform.writer.submit(() => null)
  rest.resolve()
  await stopped
  expect(steps).toEqual(['begun', 'ended', 'stopped'])
  expect(runs().map(({ detail }) => detail)).toEqual(['stopped in the middle'])
})

test('a run of a job that a crash cut off is marked as interrupted at the next start', async () => {
  const { writer, connection } = app.platform
  await writer.submit(() =>
    connection.run(`INSERT INTO job_runs (id, name, started_at, status) VALUES ('run_x', 'old', 0, 'running')`),
  )
  const made = scheduler()
  made.start()
  await writer.submit(() => null)
  expect(runs()).toEqual([{ name: 'old', status: 'interrupted', detail: null }] as never)
})

describe('events', () => {
  let firm: Firm
  beforeEach(async () => {
    firm = await app.firm('alpha')
  })
  const fire = async (): Promise<void> => {
    const { tenantId } = firm
    await systemCtx(app.platform, tenantId, 'test').write('test.event', (tx) => {
      tx.emit('trader.created', { traderId: 'x', status: 'active', kycLevel: 0, version: 1 })
      return null
    })
  }

  test('events wake a job once soon after their commit, however many there are; a write without events does not', async () => {
    const { made, seen, release, ended } = heldJob({ onEvents: true })
    made.start()
    release()
    await ended()
    await systemCtx(app.platform, firm.tenantId, 'test').write(
      'test.quiet',
      (tx) => tx.audit({ entity: 'test' }) ?? null,
    )
    jest.advanceTimersByTime(MINUTE)
    expect(seen.count).toBe(1)
    for (let index = 0; index < 5; index += 1) await fire()
    expect(seen.count).toBe(1)
    jest.advanceTimersByTime(SECOND)
    expect(seen.count).toBe(2)
    release()
    await ended()
    jest.advanceTimersByTime(MINUTE)
    expect(seen.count).toBe(2)
  })

  test('events during a run wake the job once more after the run, and not during it', async () => {
    const { made, seen, release, ended } = heldJob({ onEvents: true })
    made.start()
    for (let index = 0; index < 3; index += 1) {
      await fire()
      jest.advanceTimersByTime(SECOND)
    }
    expect(seen).toEqual({ count: 1, active: 1, most: 1 })
    release()
    await until('it runs again', () => seen.count === 2)
    expect(seen).toEqual({ count: 2, active: 1, most: 1 })
    release()
    await ended()
    jest.advanceTimersByTime(MINUTE)
    expect(seen.count).toBe(2)
  })
})

test('on a standby only the jobs run that may, and leave no row', async () => {
  const ran: string[] = []
  const make = (name: string, onStandby: boolean): Job =>
    defineJob({
      name,
      every: HOUR,
      onStandby,
      run: async () => {
        ran.push(name)
        return 'done'
      },
    })
  const reader = createTickReader(openReader(join(app.platform.config.dataDir, 'brokerbase.db')))
  const sight: Sight = {
    reader,
    freshen: async () => {},
    demandReadable: () => {},
    madeAt: () => 0,
    ageSeconds: () => 0,
    hold: () => ({ path: '', release: () => {} }),
    seen: () => {
      throw new Error('nothing is asked')
    },
  }
  const standby = createTestApp({ sight })
  const made = createScheduler(standby.platform, [make('writes', false), make('reads', true)])
  made.start()
  await until('the job is through', () => made.list()[1]?.lastRun?.status === 'done')
  await made.stop()
  expect(ran).toEqual(['reads'])
  expect(standby.platform.connection.all('SELECT name FROM job_runs')).toEqual([])
  await standby.close()
})
