import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { jobs } from '../../../app.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { until } from '../../../testing/until.ts'
import { checkLedger } from '../../books/wallets/wallets.jobs.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('box')
})
afterEach(() => app.close())

type Job = {
  name: string
  about: string
  running: boolean
  lastRun: { status: string } | null
  lastWork: object | null
}
const list = async (): Promise<Job[]> =>
  (await app.call('GET', '/v1/system/jobs', { as: firm.as.platform_admin })).body.data
const run = (name: string) => app.call('POST', `/v1/system/jobs/${name}/run`, { as: firm.as.platform_admin })
const seen = async (name: string): Promise<Job | undefined> => (await list()).find((job) => job.name === name)

const ended = () => until('the job is through', async () => (await seen('ledger.check'))?.running === false)

test('every job is listed with what it is for', async () => {
  const found = await list()
  expect(found.map(({ name }) => name)).toEqual(jobs.map(({ name }) => name))
  expect(found.filter(({ name, about }) => about === name)).toEqual([])
  expect(found.every(({ running, lastRun }) => !running && lastRun === null)).toBe(true)
})

test('a job is run now, and its result is listed', async () => {
  firm.effects()
  const answer = await run('ledger.check')
  expect([answer.status, answer.body.running]).toEqual([202, true])
  expect(firm.effects().actions).toEqual(['job.run'])
  await ended()
  const job = await seen('ledger.check')
  expect(['done', 'nothing']).toContain(job?.lastRun?.status ?? '')
})

test('the server’s metrics have a job’s run with its result and duration', async () => {
  await run('ledger.check')
  await ended()
  const text = await app.platform.metrics.text()
  expect(text).toMatch(/^brokerbase_job_runs_total\{job="ledger\.check",result="(done|nothing)"\} 1$/m)
  expect(text).toMatch(/^brokerbase_job_run_seconds_count\{job="ledger\.check"\} 1$/m)
})

test('a running job is not started again', async () => {
  const { promise, resolve } = Promise.withResolvers<null>()
  using _ = spyOn(checkLedger, 'run').mockReturnValue(promise)
  await run('ledger.check')
  const again = await run('ledger.check')
  expect([again.status, again.body.code]).toEqual([409, 'system.job_running'])
  resolve(null)
  await ended()
})

test('a result from an earlier process is listed as the job’s last one', async () => {
  const { writer, connection } = app.platform
  await writer.submit(() =>
    connection.run(
      `INSERT INTO job_runs (id, name, started_at, ended_at, status, detail)
       VALUES ('run_1', 'ledger.check', 1000, 2000, 'failed', 'the books are off by one')`,
    ),
  )
  expect(await seen('ledger.check')).toMatchObject({
    lastRun: null,
    lastWork: { startedAt: '1970-01-01T00:00:01.000Z', status: 'failed', detail: 'the books are off by one' },
  })
})

test('an unknown job is a 404, and only the administrator runs jobs', async () => {
  expect((await run('nobody')).status).toBe(404)
  expect((await run('Not%20a%20name')).status).toBe(422)
  for (const as of [firm.as.owner, firm.as.viewer]) {
    expect((await app.call('GET', '/v1/system/jobs', { as })).status).toBe(403)
    expect((await app.call('POST', '/v1/system/jobs/ledger.check/run', { as })).status).toBe(403)
  }
})
