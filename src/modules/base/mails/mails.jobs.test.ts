import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createScheduler, type Scheduler } from '../../../platform/jobs/scheduler.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type FakeSmtp, startFakeSmtp } from '../../../testing/fakes/smtp.ts'
import { claimMails, purgeMails, sendMails } from './mails.jobs.ts'
import { queueMail } from './mails.service.ts'

const MINUTE = 60_000

let app: TestApp
let firm: Firm
let smtp: FakeSmtp
let jobs: Scheduler

beforeEach(async () => {
  smtp = await startFakeSmtp()
  const { host, port } = smtp
  app = createTestApp({ config: { smtp: { host, port, secure: false, from: 'Desk <desk@alpha.test>' } } })
  firm = await app.firm('alpha')
  app.platform.connection.run('DELETE FROM mails')
  jobs = createScheduler(app.platform, [sendMails, purgeMails])
})
afterEach(async () => {
  await jobs.stop()
  await app.close()
  await smtp.stop()
})

const queue = (to: string, hours = 24) => {
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  return ctx.write('test.mail', (tx) =>
    queueMail(tx, ctx, {
      to,
      language: 'en',
      letter: () => ({ subject: 'Grüße', text: `For ${to}` }),
      recipientRole: null,
      link: { userId: 'none' },
      expiresAt: tx.now + hours * 60 * MINUTE,
    }),
  )
}
type Row = { recipient: string; status: string; attempts: number; wait: number | null; error: string | null }
const rows = () =>
  app.platform.reader.all<Row>(
    'SELECT recipient, status, attempts, next_attempt_at - ? AS wait, last_error AS error FROM mails ORDER BY id',
    [app.clock.now()],
  )
const run = () => jobs.runNow('mails.send')

test('a queued mail is sent once, and one run is noted', async () => {
  for (let n = 0; n < 12; n++) await queue(`p${n}@x.test`)
  await run()
  await run()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(Array.from({ length: 12 }, (_, n) => `p${n}@x.test`).sort())
  expect(smtp.mails[0]).toMatchObject({ from: 'desk@alpha.test', text: `For ${smtp.mails[0]?.to[0]}` })
  expect(rows().every(({ status, attempts, wait }) => status === 'sent' && attempts === 1 && wait === null)).toBe(true)
  expect(app.platform.reader.all('SELECT status, detail FROM job_runs')).toEqual([
    { status: 'done', detail: '12 sent, 0 not taken' },
  ])
})

test('a mail is tried again after 1, 5, 30 and 120 minutes and then has failed', async () => {
  await queue('slow@x.test')
  smtp.answers.RCPT = '450 later'
  for (const [attempts, minutes] of [1, 5, 30, 120].entries()) {
    await run()
    expect(rows()[0]).toMatchObject({ status: 'queued', attempts: attempts + 1, wait: minutes * MINUTE })
    app.clock.advance(minutes * MINUTE - 1)
    await run()
    expect(rows()[0]?.attempts).toBe(attempts + 1)
    app.clock.advance(1)
  }
  await run()
  expect(rows()[0]).toMatchObject({ status: 'failed', attempts: 5, wait: null })
  expect(rows()[0]?.error).toContain('later')
  app.clock.advance(600 * MINUTE)
  delete smtp.answers.RCPT
  await run()
  expect(smtp.mails).toEqual([])
})

test('a mail with a temporary failure is sent later; a permanent failure is final at once and delays no other mail', async () => {
  await queue('later@x.test')
  smtp.answers.RCPT = '451 busy'
  await run()
  delete smtp.answers.RCPT
  app.clock.advance(MINUTE)
  await run()
  expect(rows()[0]).toMatchObject({ status: 'sent', attempts: 2, error: null })
  await queue('nobody@x.test')
  smtp.answers.RCPT = '550 no such user'
  await run()
  expect(rows()[1]).toMatchObject({ status: 'failed', attempts: 1, wait: null })
})

test('a mail whose process crashed while sending is sent again when the lease has ended, not before', async () => {
  await queue('twice@x.test')
  const claimed = await claimMails(app.platform)
  expect(claimed.map(({ recipient }) => recipient)).toEqual(['twice@x.test'])
  // the crash
  await run()
  expect(smtp.mails).toEqual([])
  app.clock.advance(3 * MINUTE - 1)
  await run()
  expect(smtp.mails).toEqual([])
  app.clock.advance(1)
  await run()
  expect(smtp.mails).toHaveLength(1)
  expect(rows()[0]).toMatchObject({ status: 'sent', attempts: 2 })
})

test('two claims at the same time never take the same mail', async () => {
  for (let n = 0; n < 7; n++) await queue(`p${n}@x.test`)
  const [first = [], second = []] = await Promise.all([claimMails(app.platform), claimMails(app.platform)])
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(first.length + second.length)
  expect(first.length + second.length).toBe(7)
})

test('an expired mail is neither sent nor kept', async () => {
  await queue('old@x.test', 1)
  await queue('new@x.test', 3)
  app.clock.advance(60 * MINUTE)
  await run()
  expect(smtp.mails.map(({ to }) => to[0])).toEqual(['new@x.test'])
  await jobs.runNow('mails.purge')
  expect(rows().map(({ recipient }) => recipient)).toEqual(['new@x.test'])
})

test('the link of a sent mail is shown to no reader', async () => {
  await queue('manager@alpha.test')
  const path = async () => `/v1/mails/${(await app.call('GET', '/v1/mails', { as: firm.as.owner })).body.data[0].id}`
  expect((await app.call('GET', await path(), { as: firm.as.owner })).body.text).toBe('For manager@alpha.test\n')
  await run()
  expect((await app.call('GET', await path(), { as: firm.as.owner })).body.code).toBe('mails.sent')
})
