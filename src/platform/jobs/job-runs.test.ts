import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { ReplicaAway } from '../replication/gate.ts'
import { defineJob, type Job } from './job.ts'
import { createJobRuns, type JobRuns } from './job-runs.ts'

let app: TestApp
let runs: JobRuns
beforeEach(() => {
  app = createTestApp()
  runs = createJobRuns(app.platform)
})
afterEach(() => app.close())

const job = (run: Job['run']): Job => defineJob({ name: 'one', every: 1, run })
const { signal } = new AbortController()

test('a run of a job that found nothing is shown as the last run, beside the last one that did something', async () => {
  expect([runs.last('one'), runs.lastWork('one')]).toEqual([null, null])
  await runs.run(
    job(async () => 'three mails'),
    signal,
  )
  await runs.run(
    job(async () => null),
    signal,
  )
  expect(runs.last('one')).toMatchObject({ status: 'nothing', detail: null })
  expect(runs.lastWork('one')).toMatchObject({ status: 'done', detail: 'three mails' })
  // another process has only the runs that were stored
  const later = createJobRuns(app.platform)
  expect([later.last('one'), later.lastWork('one')?.detail]).toEqual([null, 'three mails'])
})

test('a job gets the signal to stop; a failing job is noted as failed, whatever it threw', async () => {
  for (const thrown of [new Error('no host'), new ReplicaAway('away'), 'a word']) {
    const failing = job((given) => {
      expect(given.signal).toBe(signal)
      throw thrown
    })
    await runs.run(failing, signal)
    const detail = thrown instanceof Error ? thrown.message : thrown
    expect(runs.last('one')).toMatchObject({ status: 'failed', detail })
    app.clock.advance(1)
  }
})
