import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createScheduler, type Scheduler } from '../../../platform/jobs/scheduler.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type FakeSmtp, startFakeSmtp } from '../../../testing/fakes/smtp.ts'
import { sendMails } from './mails.jobs.ts'

const HOUR = 3600_000
let smtp: FakeSmtp
let app: TestApp
let firm: Firm
let jobs: Scheduler
beforeEach(async () => {
  smtp = await startFakeSmtp()
  const { host, port } = smtp
  app = createTestApp({ config: { smtp: { host, port, secure: false, from: 'Desk <desk@alpha.test>' } } })
  firm = await app.firm('alpha')
  jobs = createScheduler(app.platform, [sendMails])
  await run()
  smtp.mails.length = 0
})
afterEach(async () => {
  await jobs.stop()
  await app.close()
  await smtp.stop()
})

const run = () => jobs.runNow('mails.send')
let count = 0
const invite = async () => {
  count += 1
  const email = `new${count}@alpha.test`
  const body = { email, displayName: `New ${count}`, roles: ['viewer'] }
  const user = await app.call('POST', '/v1/users/invite', { as: firm.as.owner, body })
  const { body: list } = await app.call('GET', `/v1/mails?recipient=${email}`, { as: firm.as.owner })
  return { mail: list.data[0].id as string, user: user.body.id as string, email }
}
/** Makes an invitation whose mail the mail server refuses. */
const failed = async () => {
  smtp.answers.RCPT = '550 no such mailbox'
  const invited = await invite()
  await run()
  delete smtp.answers.RCPT
  expect(await readStatus(invited.mail)).toBe('failed')
  firm.effects()
  return invited
}
/** Sets a mail to the state that it would have without a mail server. */
const holdBack = (id: string) =>
  app.platform.connection.run(`UPDATE mails SET status = 'held', next_attempt_at = NULL WHERE id = ?`, [id])
const readStatus = async (id: string) =>
  app.platform.reader.get<{ status: string }>('SELECT status FROM mails WHERE id = ?', [id])?.status
const send = (id: string, body: object = {}, as: Caller = firm.as.admin) =>
  app.call('POST', `/v1/mails/${id}/send`, { as, body })

test('a failed mail and a held one are sent to their recipients, and their texts are not in the audit', async () => {
  const [first, second] = [await failed(), await invite()]
  holdBack(second.mail)
  firm.effects()
  for (const { mail } of [first, second]) {
    const answer = await send(mail)
    expect([answer.status, answer.body]).toEqual([200, { results: [{ id: mail, ok: true }] }])
    // sending a queued mail changes nothing
    expect((await send(mail)).body).toEqual({ results: [{ id: mail, ok: true }] })
  }
  expect(firm.effects()).toEqual({ events: [], actions: ['mail.send', 'mail.send'] })
  await run()
  expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual([first.email, second.email].sort())
  expect(await readStatus(first.mail)).toBe('sent')
  const again = await send(first.mail)
  expect([again.status, again.body.code]).toEqual([409, 'wrong_state'])
  const entries = app.platform.reader.all(`SELECT after FROM audit_data WHERE after LIKE ?`, [`%${first.email}%`])
  expect(JSON.stringify(entries)).not.toContain('token=')
})

test('each of several mails has its own result', async () => {
  const [first, second, third] = [await failed(), await failed(), await invite()]
  await run()
  const ids = [second.mail, third.mail, 'mal_none']
  const { status, body } = await send(first.mail, { ids })
  expect(status).toBe(200)
  expect(body.results).toEqual([
    { id: first.mail, ok: true },
    { id: second.mail, ok: true },
    { id: third.mail, ok: false, code: 'wrong_state', message: expect.any(String) },
    { id: 'mal_none', ok: false, code: 'not_found', message: expect.any(String) },
  ])
})

test('a mail whose link was used, replaced or expired is refused, and the answer says how to make a new one', async () => {
  const replaced = await failed()
  await app.call('POST', `/v1/users/${replaced.user}/resend-invite`, { as: firm.as.owner })
  const late = await failed()
  app.clock.advance(25 * HOUR)
  for (const { mail } of [replaced, late]) {
    const answer = await send(mail)
    expect([answer.status, answer.body.code]).toEqual([409, 'mails.over'])
    expect(answer.body.detail).toContain('Send invitation again')
  }
})

test('sending without a mail server is refused, and the answer says who can help', async () => {
  const bare = createTestApp()
  try {
    const own = await bare.firm('bare')
    const list = await bare.call('GET', '/v1/mails', { as: own.as.admin })
    const { id } = list.body.data[0]
    for (const body of [{}, { ids: [] }]) {
      const answer = await bare.call('POST', `/v1/mails/${id}/send`, { as: own.as.admin, body })
      expect([answer.status, answer.body.code]).toEqual([409, 'mails.no_server'])
      expect(answer.body.detail).toContain('whoever runs this installation')
    }
  } finally {
    await bare.close()
  }
})

test('sending answers 401, 403 below admin, after an old sign-in and without the scope, 404 for another firm, 422', async () => {
  const { mail } = await failed()
  expect((await app.call('POST', `/v1/mails/${mail}/send`, { body: {} })).status).toBe(401)
  expect((await send(mail, {}, firm.as.manager)).status).toBe(403)
  expect((await send(mail, {}, await firm.key(['mails:read'], 'admin'))).status).toBe(403)
  const other = await app.firm('beta')
  for (const body of [{}, { ids: [mail] }]) expect((await send(mail, body, other.as.owner)).status).toBe(404)
  for (const ids of ['x', [mail, mail], Array.from({ length: 501 }, (_, n) => `mal_${n}`)])
    expect((await send(mail, { ids })).status).toBe(422)
  // a key may send the mail, although it may not read it
  expect((await send(mail, {}, await firm.key(['mails:write'], 'admin'))).status).toBe(200)
})
