import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
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

test('a mail with a temporary failure is tried after 1, 5, 30, 120 and every 240 minutes, and fails after 72 hours', async () => {
  await queue('slow@x.test', 100)
  smtp.answers.RCPT = '450 later'
  let passed = 0
  for (const [attempts, minutes] of [1, 5, 30, 120, 240, 240].entries()) {
    await run()
    expect(rows()[0]).toMatchObject({ status: 'queued', attempts: attempts + 1, wait: minutes * MINUTE })
    app.clock.advance(minutes * MINUTE - 1)
    await run()
    expect(rows()[0]?.attempts).toBe(attempts + 1)
    app.clock.advance(1)
    passed += minutes
  }
  app.clock.advance((72 * 60 - passed) * MINUTE - 1)
  await run()
  expect(rows()[0]).toMatchObject({ status: 'queued', attempts: 7 })
  app.clock.advance(240 * MINUTE)
  await run()
  expect(rows()[0]).toMatchObject({ status: 'failed', attempts: 8, wait: null })
  expect(rows()[0]?.error).toContain('later')
  delete smtp.answers.RCPT
  app.clock.advance(600 * MINUTE)
  await run()
  expect(smtp.mails).toEqual([])
})

describe('a relay that takes no mail', () => {
  const pass = async (minutes: number) => {
    for (let n = 0; n < minutes * 3; n++) {
      app.clock.advance(20_000)
      await run()
    }
  }
  const signIns = () => smtp.commands.filter((line) => line.startsWith('MAIL')).length

  test.each(['535 5.7.8 wrong password', '553 sender refused'])(
    'no mail is lost while the relay answers %j for an hour: each mail of that hour arrives once',
    async (answer) => {
      smtp.answers.MAIL = answer
      const sent: string[] = []
      for (let n = 0; n < 12; n++) {
        await queue(`p${n}@x.test`)
        sent.push(`p${n}@x.test`)
        await pass(5)
      }
      // one mail at a time finds out whether it works again: after 20 s, 1 and 5 minutes, and each 15 minutes
      expect(signIns()).toBe(7)
      expect(rows().every(({ status }) => status === 'queued')).toBe(true)
      delete smtp.answers.MAIL
      await pass(15)
      expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(sent.toSorted())
      expect(rows().every(({ status, error }) => status === 'sent' && error === null)).toBe(true)
    },
  )

  test('a relay that takes no mail is counted and warns administrators from the first attempt until it works again', async () => {
    const warnings = async () =>
      (await app.call('GET', '/v1/system/status', { as: firm.as.platform_admin })).body.warnings.filter(
        ({ code }: { code: string }) => code === 'mail',
      )
    const failing = async () => /^brokerbase_mail_relay_failing (\d)$/m.exec(await app.platform.metrics.text())?.[1]
    await queue('a@x.test')
    smtp.answers.connect = '421 closed'
    expect([await warnings(), await failing()]).toEqual([[], '0'])
    await run()
    expect(await warnings()).toMatchObject([{ severity: 'warning', text: expect.stringContaining('421 closed') }])
    expect(await failing()).toBe('1')
    delete smtp.answers.connect
    await pass(1)
    expect([await warnings(), await failing()]).toEqual([[], '0'])
  })

  test('a relay that takes no mail is asked again at once by “send again”, and by the next start', async () => {
    await queue('a@x.test')
    smtp.answers.MAIL = '451 later'
    await run()
    await pass(10)
    const { id } = (await app.call('GET', '/v1/mails', { as: firm.as.owner })).body.data[0]
    delete smtp.answers.MAIL
    expect((await app.call('POST', `/v1/mails/${id}/send`, { as: firm.as.admin, body: {} })).status).toBe(200)
    await run()
    expect(smtp.mails).toHaveLength(1)

    await queue('b@x.test')
    app.platform.connection.run("UPDATE mails SET next_attempt_at = ?, attempts = 3 WHERE recipient = 'b@x.test'", [
      app.clock.now() + 15 * MINUTE,
    ])
    await run()
    expect(smtp.mails).toHaveLength(1)
    await jobs.stop()
    jobs = createScheduler({ ...app.platform }, [sendMails, purgeMails])
    await run()
    expect(smtp.mails).toHaveLength(2)
  })

  test('several mails that fail together count as one attempt at a relay that takes no mail', async () => {
    for (let n = 0; n < 5; n++) await queue(`p${n}@x.test`)
    smtp.answers.MAIL = '451 later'
    await run()
    expect(rows().map(({ wait }) => wait)).toEqual(Array(5).fill(20_000))
    delete smtp.answers.MAIL
    app.clock.advance(20_000)
    await run()
    expect(smtp.mails).toHaveLength(5)
  })

  test.each(['550 5.4.1 Recipient address rejected: Access denied', '554 5.7.1 not here', '451 4.3.0 later'])(
    'the answer %j for one recipient does not mark the relay as down: other mails go out at once',
    async (answer) => {
      await queue('odd@x.test')
      smtp.answers['RCPT TO:<odd@x.test>'] = answer
      for (let n = 0; n < 9; n++) {
        await pass(15)
        await queue(`p${n}@x.test`)
        await run()
        expect(smtp.mails).toHaveLength(n + 1)
      }
      expect(rows()[0]).toMatchObject({ recipient: 'odd@x.test', status: 'queued' })
    },
  )

  test('a mail that is refused for its recipient delays no mail to others', async () => {
    await queue('nobody@x.test')
    await queue('somebody@x.test')
    smtp.answers['RCPT TO:<nobody@x.test>'] = '550 5.1.1 no such user'
    await run()
    expect(rows().map(({ status }) => status)).toEqual(['failed', 'sent'])
  })
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

test('a mail whose process crashed while sending is sent again after the lease has ended, and not before', async () => {
  await queue('twice@x.test')
  const claimed = await claimMails(app.platform)
  expect(claimed.map(({ recipient }) => recipient)).toEqual(['twice@x.test'])
  // the job runs right after the crash
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
