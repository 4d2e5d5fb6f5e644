import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

let count = 0
/** Invites colleagues; their mails are held, as there is no mail server. */
const held = async (roles: string[]) => {
  count += 1
  const email = `held${count}@alpha.test`
  const invited = await app.call('POST', '/v1/users/invite', {
    as: firm.as.owner,
    body: { email, displayName: `Held ${count}`, roles },
  })
  expect(invited.status).toBe(201)
  const list = await app.call('GET', `/v1/mails?recipient=${email}`, { as: firm.as.owner })
  expect(list.body.data).toHaveLength(1)
  firm.effects()
  return list.body.data[0]
}
const read = (id: string, as = firm.as.admin) => app.call('GET', `/v1/mails/${id}`, { as })

describe('/v1/mails', () => {
  test('the list of mails has no texts; reading the text of one mail is audited', async () => {
    const mail = await held(['operator'])
    expect(mail).toMatchObject({ status: 'held', attempts: 0, nextAttemptAt: null, lastError: null })
    expect(Object.keys(mail)).not.toContain('text')
    const list = await app.call('GET', '/v1/mails?status=held', { as: firm.as.admin })
    expect(list.text).not.toContain('token=')
    const answer = await read(mail.id)
    expect(answer.status).toBe(200)
    const { text, ...rest } = answer.body
    expect(rest).toEqual(mail)
    expect(text).toMatch(/\/admin\/accept-invite\?token=[\w-]{43}/)
    expect(firm.effects()).toEqual({ events: [], actions: ['mail.read'] })
    const trail = app.platform.reader.get<{ after: string }>(
      'SELECT d.after FROM audit_data d JOIN audit a USING (tenant_id, seq) WHERE a.entity_id = ?',
      [mail.id],
    )
    expect(trail?.after).toContain(mail.recipient)
    expect(trail?.after).not.toContain('token=')
  })

  test('a mail whose link would give the reader more rights is not shown', async () => {
    const mail = await held(['owner'])
    const answer = await read(mail.id)
    expect([answer.status, answer.body.code]).toEqual([403, 'mails.above_you'])
    expect(firm.effects().actions).toEqual([])
    expect((await read(mail.id, firm.as.owner)).status).toBe(200)
    expect((await read(mail.id, await firm.key(['mails:read'], 'admin'))).status).toBe(403)
  })

  test('a promotion bars former readers from the recipient’s mail, voids links that were read, and mails a new invite', async () => {
    const mail = await held(['operator'])
    const [, token] = /token=(\S+)/.exec((await read(mail.id)).body.text) ?? []
    const users = await app.call('GET', `/v1/users?q=${mail.recipient}`, { as: firm.as.owner })
    const { id } = users.body.data[0]
    const roles = { as: firm.as.owner, body: { roles: ['owner'] } }
    expect((await app.call('PATCH', `/v1/users/${id}/roles`, roles)).status).toBe(200)
    expect((await read(mail.id)).body.code).toBe('mails.above_you')
    const accept = { body: { token, password: 'correct horse battery' } }
    expect((await app.call('POST', '/v1/users/accept-invite', accept)).status).toBe(410)
    const list = await app.call('GET', `/v1/mails?recipient=${mail.recipient}`, { as: firm.as.owner })
    expect(list.body.data).toHaveLength(2)
  })

  test('mails answer 401, 403 below admin and without the scope, 404 for another firm, 422 for a wrong filter', async () => {
    const mail = await held(['viewer'])
    for (const path of ['/v1/mails', `/v1/mails/${mail.id}`]) {
      expect((await app.call('GET', path)).status).toBe(401)
      expect((await app.call('GET', path, { as: firm.as.manager })).status).toBe(403)
      expect((await app.call('GET', path, { as: await firm.key(['users:read']) })).status).toBe(403)
    }
    expect((await read(mail.id, other.as.owner)).status).toBe(404)
    const foreign = await app.call('GET', '/v1/mails?limit=200', { as: other.as.owner })
    expect(foreign.body.data.map(({ recipient }: { recipient: string }) => recipient)).toEqual(['founder@beta.test'])
    expect((await app.call('GET', '/v1/mails?status=lost', { as: firm.as.admin })).status).toBe(422)
  })
})
