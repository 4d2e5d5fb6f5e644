import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { unList } from '../../../testing/fakes/sanctions-lists.ts'
import { credentials } from '../../firm/auth/auth.table.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const read = async (as = firm.as.manager) => (await app.call('GET', '/v1/setup/progress', { as })).body
const done = async (as = firm.as.manager): Promise<string[]> =>
  (await read(as)).steps.filter((one: { done: boolean }) => one.done).map(({ step }: { step: string }) => step)
const staff = (status: string) =>
  app.platform.writer.submit(() =>
    app.platform.connection.run(
      `UPDATE users SET status = ?3 WHERE tenant_id = ?1 AND id NOT IN (?2, ?4) AND status <> ?3`,
      [firm.tenantId, firm.as.owner.id, status, firm.as.viewer.id],
    ),
  )

test('rows of the firm mark each first step as done, and without them it is undone', async () => {
  expect(await done()).toEqual(['first_colleague', 'second_manager'])
  // what the firm stores in its branding beside the logo is not a logo
  const branding = { shop: { logoUrl: '/v1/files/other' } }
  const kept = await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { branding } })
  expect([kept.status, await done()]).toEqual([200, ['first_colleague', 'second_manager']])
  await staff('disabled')
  // a viewer is active too, but decides nothing
  expect(await done(firm.as.owner)).toEqual([])
  // an invited colleague counts as a step, but decides nothing yet
  await app.call('POST', '/v1/users/invite', {
    as: firm.as.owner,
    body: { email: 'maria@alpha.test', displayName: 'Maria', roles: ['manager'], sendInviteLink: true },
  })
  expect(await done(firm.as.owner)).toEqual(['first_colleague'])
  await staff('active')
  const { admin, owner, manager } = firm.as
  await app.call('POST', '/v1/fx/rates/upsert', {
    as: admin,
    body: { rates: [{ base: 'EUR', quote: 'USD', rate: '1.08', source: 'desk' }], global: false },
  })
  expect(await done()).toEqual(['first_colleague', 'second_manager', 'exchange_rates'])
  const trader = await firm.trader()
  const { body: deposit } = await app.call('POST', '/v1/deposits', {
    as: manager,
    body: { traderId: trader, currency: 'EUR', amount: '10.00', method: 'bank' },
  })
  // the deposit counts as a step once it is settled
  expect(await done()).not.toContain('first_deposit')
  await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: owner })
  await app.call('POST', '/v1/sanctions/lists', {
    as: admin,
    body: { source: 'un', version: '1', content: unList('Ivan Somebody') },
  })
  const key = await app.call('POST', '/v1/api-keys', { as: owner, body: { label: 'Bridge', scopes: ['traders:read'] } })
  const { version: _, ...hours } = (await app.call('GET', '/v1/support/sla-policies', { as: manager })).body
  await app.call('PUT', '/v1/support/sla-policies', { as: admin, body: hours })
  const protect = (userId: string) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.credential', (tx) => {
      tx.insert(credentials, { userId, totpEnabled: true })
      return null
    })
  const owners = app.platform.reader.all<{ id: string }>(
    `SELECT id FROM users WHERE tenant_id = ?1 AND roles = '["owner"]'`,
    [firm.tenantId],
  )
  for (const { id } of owners) {
    expect(await done()).not.toContain('second_factor')
    await protect(id)
  }
  expect(await done()).toEqual([
    'first_colleague',
    'sanctions_list',
    'first_client',
    'first_deposit',
    'second_manager',
    'second_factor',
    'exchange_rates',
    'gateway_or_key',
    'working_hours',
  ])
  expect((await read()).complete).toBe(false)
  await app.call('DELETE', `/v1/api-keys/${key.body.id}`, { as: owner })
  expect(await done()).not.toContain('gateway_or_key')
  expect(await done(other.as.manager)).toEqual(['first_colleague', 'second_manager'])
})

test('the steps of mail server and replica are done on a box that has them', async () => {
  const smtp = { host: 'localhost', port: 2525, secure: false, from: 'desk@broker.test' }
  const replica = { url: 'file:///backup', place: { kind: 'file', directory: '/backup' }, keys: {} } as const
  const mailing = createTestApp({ config: { smtp, replica: { ...replica, wait: 'off', degrade: false } } })
  const { as } = await mailing.firm('gamma')
  const { body } = await mailing.call('GET', '/v1/setup/progress', { as: as.manager })
  expect(body.steps).toContainEqual({ step: 'mail_server', done: true })
  expect(body.steps).toContainEqual({ step: 'backups', done: true })
  await mailing.close()
})

test('administrators hide the first steps for the whole firm, and show them again', async () => {
  const put = (putAway: boolean, as = firm.as.admin) => app.call('PUT', '/v1/setup/progress', { as, body: { putAway } })
  firm.effects()
  expect((await put(true)).body).toMatchObject({ putAway: true })
  expect(firm.effects().actions).toEqual(['setup.progress.set'])
  expect([(await read()).putAway, (await read(other.as.manager)).putAway]).toEqual([true, false])
  expect((await put(false)).body.putAway).toBe(false)
  expect((await put(true, firm.as.manager)).status).toBe(403)
  expect((await app.call('GET', '/v1/setup/progress', { as: firm.as.operator })).status).toBe(403)
})
