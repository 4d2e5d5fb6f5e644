import { afterAll, beforeAll, expect, test } from 'bun:test'
import { atLeast, ROLES } from '../../../platform/access/catalogue.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const overview = (id: string, as: Caller) => app.call('GET', `/v1/traders/${id}/overview`, { as })
const announce = async (traderId: string, amount: string, currency = 'EUR') =>
  (
    await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency, amount, method: 'bank', providerReference: `R-${amount}-${currency}` },
    })
  ).body

test('the overview of a new client has zeros and no screening', async () => {
  const { body: trader } = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'n@x.test' } })
  const { status, body } = await overview(trader.id, firm.as.manager)
  expect(status).toBe(200)
  const none = { total: 0, waiting: 0 }
  expect(body).toEqual({
    sanctions: 'not_screened',
    wallets: [],
    deposited: { byCurrency: [] },
    paidOut: { byCurrency: [] },
    withdrawalChecks: expect.any(Array),
    openPositions: { byCurrency: [] },
    records: {
      accounts: none,
      wallets: none,
      deposits: none,
      withdrawals: none,
      transfers: none,
      kyc: none,
      tickets: none,
      positions: none,
      notes: none,
    },
  })
})

test('the overview sums credited amounts by currency, not announced ones', async () => {
  const id = await firm.trader()
  const short = await announce(id, '1000.00')
  await announce(id, '7.00')
  await announce(id, '5.00', 'USD')
  const settled = await app.call('POST', `/v1/admin/deposits/${short.id}/partial-settle`, {
    as: firm.as.manager,
    body: { settledAmount: '990.50', notes: 'bank fee' },
  })
  expect(settled.status).toBe(200)
  await app.call('POST', `/v1/traders/${id}/notes`, { as: firm.as.operator, body: { body: 'called' } })
  const { body } = await overview(id, firm.as.viewer)
  expect(body.wallets).toEqual([{ currency: 'EUR', available: '990.50', held: '0.00' }])
  expect(body.deposited).toEqual({ byCurrency: [{ currency: 'EUR', count: 1, amount: '990.50' }] })
  expect([body.records.deposits, body.records.notes, body.records.wallets]).toEqual([
    { total: 3, waiting: 2 },
    { total: 1, waiting: 0 },
    { total: 1, waiting: 0 },
  ])
})

test('the overview has null for what a key’s scopes do not allow; another firm gets a 404', async () => {
  const id = await firm.trader()
  const { body } = await overview(id, await firm.key(['traders:read', 'deposits:read']))
  expect([body.sanctions, body.wallets, body.paidOut, body.openPositions]).toEqual([null, null, null, null])
  expect(body.deposited).toEqual({ byCurrency: [] })
  expect(Object.keys(body.records).filter((kind) => body.records[kind] !== null)).toEqual(['deposits', 'notes'])
  expect((await overview(id, await firm.key(['deposits:read']))).status).toBe(403)
  expect((await overview(id, (await app.firm('beta')).as.owner)).status).toBe(404)
  expect((await overview('trd_none', firm.as.owner)).status).toBe(404)
  expect((await overview(id, await firm.traderSession(id))).status).toBe(403)
})

test.each(ROLES)('the overview shows the state of screening only to readers of matches: %s', async (role) => {
  const id = await firm.trader()
  const as = firm.as[role]
  const hits = await app.call('GET', '/v1/sanctions/hits', { as })
  const { body } = await overview(id, as)
  expect([hits.status, body.sanctions]).toEqual(atLeast(role, 'manager') ? [200, 'not_screened'] : [403, null])
  const summary = await app.call('GET', '/v1/admin/notifications/summary', { as })
  expect(summary.body.openSanctions === null).toBe(body.sanctions === null)
  expect((await overview(id, await firm.key(['traders:read', 'kyc:read'], role))).body.sanctions).toBe(body.sanctions)
})

test('the overview says why a withdrawal would be refused, to those who may create one', async () => {
  const { body: trader } = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'e@x.test' } })
  const states = async (id: string, as: Caller) =>
    (await overview(id, as)).body.withdrawalChecks?.map(({ name, state }: Record<string, string>) => `${name} ${state}`)
  expect(await states(trader.id, firm.as.operator)).toEqual(['trader fine', 'kyc blocks', 'sanctions not_checked'])
  await app.platform.writer.submit(() =>
    app.platform.connection.run('UPDATE traders SET kyc_level = 1 WHERE id = ?', [trader.id]),
  )
  expect(await states(trader.id, firm.as.operator)).toContain('kyc fine')
  expect(await states(trader.id, firm.as.viewer)).toBeUndefined()
})
