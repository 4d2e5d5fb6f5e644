import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { users } from '../../firm/users/users.table.ts'

let app: TestApp
let firm: Firm

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const CONNECTIONS = '/v1/platforms/connections'
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const settings = {
  name: 'Live',
  driver: 'terminal5',
  platform: 'terminal5',
  server: 'Alpha-Live',
  address: 'https://trade.alpha.test:443',
  trust: 'pinned',
  certificate: 'AB:'.repeat(31).concat('AB'),
  login: '1001',
  password: 'a secret of the terminal',
  groups: [{ mask: 'real\\*', type: 'live' }],
}
const create = (as: Caller, body: object = {}) => call(as, 'POST', CONNECTIONS, { ...settings, ...body })
const read = async (id: string, as: Caller = firm.as.admin) => (await call(as, 'GET', `${CONNECTIONS}/${id}`)).body
const confirm = (as: Caller, id: string, version: number) =>
  call(as, 'POST', `${CONNECTIONS}/${id}/confirm`, { version })
const patch = (as: Caller, id: string, body: object) => call(as, 'PATCH', `${CONNECTIONS}/${id}`, body)
const sentMails = () =>
  app.platform.reader.all<{ to: string }>('SELECT recipient AS "to" FROM mails WHERE tenant_id = ?', [firm.tenantId])

describe('who makes a connection', () => {
  test('an owner makes one, everybody else and every key is refused, and the password is in no answer', async () => {
    const made = await create(firm.as.owner)
    expect([made.status, made.body.status, made.body.money, made.body.certificate]).toEqual([
      201,
      'unconfirmed',
      false,
      'ab'.repeat(32),
    ])
    expect(made.text).not.toContain(settings.password)
    expect(made.body.pending).toMatchObject({ version: 1, by: [firm.as.owner.id] })
    expect((await create(firm.as.admin, { server: 'Other' })).status).toBe(403)
    const key = await firm.key(['platforms:read', 'platforms:write'], 'owner')
    expect((await create(key, { server: 'Other' })).status).toBe(403)
    expect((await create(firm.as.owner)).body.code).toBe('terminals.exists')
    expect((await create(firm.as.owner, { server: 'X', driver: 'simulator' })).body.code).toBe(
      'terminals.simulator_refused',
    )
    const audit = await call(firm.as.admin, 'GET', '/v1/audit')
    expect(audit.text).toContain('terminals.create')
    expect(audit.text).not.toContain(settings.password)
    expect(sentMails().length).toBeGreaterThan(0)
  })

  test('operators read a connection without where it leads, and viewers do not', async () => {
    const { id } = (await create(firm.as.owner)).body
    const seen = await read(id, firm.as.operator)
    expect([seen.name, seen.address, seen.login, seen.certificate]).toEqual(['Live', undefined, undefined, undefined])
    expect((await read(id)).address).toBe(settings.address)
    expect((await call(firm.as.viewer, 'GET', CONNECTIONS)).status).toBe(403)
    const other = await app.firm('beta')
    expect((await call(other.as.owner, 'GET', `${CONNECTIONS}/${id}`)).status).toBe(404)
  })

  test.each([
    [{ address: 'http://trade.alpha.test' }, 'address'],
    [{ trust: 'public' }, 'certificate'],
    [{ trust: 'authority' }, 'certificate'],
    [{ certificate: null }, 'certificate'],
    [{ certificate: 'abc' }, 'certificate'],
    [{ platform: 'nobody' }, 'platform'],
    [{ groups: [] }, 'groups'],
    [{ since: '2090-01-01T00:00:00Z' }, 'since'],
    [{ login: 'x' }, 'login'],
    [{ readEvery: { deals: 1, positions: 30, accounts: 60, prices: 300 } }, 'readEvery.deals'],
  ])('%o is refused by its field, and nothing is made', async (body, path) => {
    const refused = await create(firm.as.owner, body)
    expect([refused.status, refused.body.errors[0].path]).toEqual([422, path])
    expect((await call(firm.as.admin, 'GET', CONNECTIONS)).body.data).toEqual([])
  })
})

describe('the second person', () => {
  test('another admin confirms exactly what was entered, and nobody their own', async () => {
    const { id } = (await create(firm.as.owner)).body
    expect((await confirm(firm.as.owner, id, 1)).body.code).toBe('not_independent')
    expect((await confirm(firm.as.manager, id, 1)).status).toBe(403)
    expect((await confirm(firm.as.admin, id, 2)).body.code).toBe('terminals.changed_meanwhile')
    const confirmed = await confirm(firm.as.admin, id, 1)
    expect([confirmed.status, confirmed.body.status, confirmed.body.pending]).toEqual([200, 'active', null])
    expect(confirmed.body.confirmedBy).toBe(firm.as.admin.id)
    expect((await confirm(firm.as.admin, id, 1)).body.code).toBe('terminals.changed_meanwhile')
  })

  test('a guarded change waits beside the settings in force, needs the password again, and lapses', async () => {
    const { id } = (await create(firm.as.owner)).body
    await confirm(firm.as.admin, id, 1)
    const { owner, admin } = firm.as
    const elsewhere = { address: 'https://lying.test:443' }
    expect((await patch(owner, id, elsewhere)).body.errors[0].path).toBe('password')
    expect((await patch(admin, id, { ...elsewhere, password: 'x' })).status).toBe(403)
    const changed = await patch(owner, id, { ...elsewhere, password: 'another' })
    expect([changed.status, changed.body.address]).toEqual([200, settings.address])
    expect(changed.body.pending).toMatchObject({
      version: 2,
      fields: ['address', 'password'],
      values: elsewhere,
    })
    app.clock.advance(7 * DAY)
    expect((await read(id)).pending).toBeNull()
    expect((await confirm(admin, id, 2)).body.code).toBe('terminals.changed_meanwhile')
    await patch(owner, id, { money: true })
    const waiting = (await read(id)).pending
    expect([waiting.version, waiting.fields]).toEqual([3, ['money']])
    const done = await confirm(admin, id, 3)
    expect([done.body.money, done.body.address, done.body.enteredBy]).toEqual([true, settings.address, [owner.id]])
  })

  test('stopping is allowed to any admin at once', async () => {
    const { id } = (await create(firm.as.owner)).body
    await confirm(firm.as.admin, id, 1)
    await patch(firm.as.owner, id, { money: true })
    await confirm(firm.as.admin, id, 2)
    const stopped = await patch(firm.as.admin, id, { money: false, paused: true })
    expect([stopped.status, stopped.body.money, stopped.body.status]).toEqual([200, false, 'paused'])
    expect((await patch(firm.as.admin, id, { money: true })).status).toBe(403)
    expect((await patch(firm.as.admin, id, { paused: false })).body.status).toBe('active')
  })

  test('what two owners entered is confirmed by neither of them', async () => {
    const second = firm.as.platform_admin
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.user', (tx) => {
      tx.update(users, second.id, { roles: ['owner'] })
      return null
    })
    const { id } = (await create(firm.as.owner)).body
    expect((await patch(second, id, { groups: [{ mask: '*', type: 'live' }] })).status).toBe(200)
    expect((await confirm(firm.as.owner, id, 2)).body.code).toBe('not_independent')
    expect((await confirm(second, id, 2)).body.code).toBe('not_independent')
    expect((await confirm(firm.as.admin, id, 2)).status).toBe(200)
  })

  test('the owner of a firm without such a person confirms their own after 72 hours', async () => {
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.remove', (tx) => {
      for (const { id } of tx.list(users, {})) if (id !== firm.as.owner.id) tx.update(users, id, { status: 'disabled' })
      return null
    })
    const { id } = (await create(firm.as.owner)).body
    app.clock.advance(72 * HOUR - 1)
    expect((await confirm(firm.as.owner, id, 1)).body.code).toBe('not_independent')
    app.clock.advance(1)
    expect((await confirm(firm.as.owner, id, 1)).status).toBe(200)
  })
})

test('a removed connection is gone with its password', async () => {
  const { id } = (await create(firm.as.owner)).body
  expect((await call(firm.as.admin, 'DELETE', `${CONNECTIONS}/${id}`)).status).toBe(403)
  expect((await call(firm.as.owner, 'DELETE', `${CONNECTIONS}/${id}`)).status).toBe(204)
  expect((await call(firm.as.admin, 'GET', `${CONNECTIONS}/${id}`)).status).toBe(404)
  const [left] = app.platform.reader.all<{ bytes: number }>(
    'SELECT length(password) AS bytes FROM terminal_connections WHERE id = ?',
    [id],
  )
  expect(left?.bytes).toBe(0)
  expect((await create(firm.as.owner)).status).toBe(201)
})
