import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader()
})
afterAll(() => app.close())

let count = 0
const create = (body: object = {}, as = firm.as.operator) => {
  count += 1
  const input = { traderId, platform: 'terminal5', accountNumber: `${70000 + count}`, currency: 'USD', ...body }
  return app.call('POST', '/v1/accounts', { as, body: input })
}
const created = async (body: object = {}) => {
  const answer = await create(body)
  expect(answer.status).toBe(201)
  firm.effects()
  return answer.body
}
const patch = (id: string, body: object, as = firm.as.operator, headers = {}) =>
  app.call('PATCH', `/v1/accounts/${id}`, { as, body, headers })

describe('POST /v1/accounts', () => {
  test('a new account has every field of the interface, amounts with the currency’s decimals, and one audit entry: 201', async () => {
    firm.effects()
    const input = {
      traderId,
      platform: 'terminal5',
      externalId: 'ext-1',
      accountNumber: '500123',
      currency: 'JPY',
      balance: '-1500',
      equity: '200',
      leverage: 500,
      isDemo: true,
      metadata: { group: 'vip', nested: { a: [1] } },
    }
    const answer = await app.call('POST', '/v1/accounts', { as: firm.as.operator, body: input })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ ...input, status: 'active', version: 1 })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(firm.effects()).toEqual({ events: [], actions: ['account.create'] })
    expect(await created()).toMatchObject({
      balance: '0.00',
      equity: '0.00',
      leverage: 100,
      isDemo: false,
      externalId: null,
      metadata: {},
    })
  })

  test('a number that another account of the platform has is a 409 naming the field; another platform may have it', async () => {
    await created({ externalId: 'dup', accountNumber: '900' })
    for (const [body, path] of [
      [{ externalId: 'dup' }, 'externalId'],
      [{ accountNumber: '900' }, 'accountNumber'],
    ] as const) {
      const answer = await create(body)
      expect([answer.status, answer.body.errors[0].path]).toEqual([409, path])
    }
    expect((await create({ platform: 'terminal4', externalId: 'dup', accountNumber: '900' })).status).toBe(201)
    const foreign = await create({ traderId: await other.trader(), accountNumber: '900' }, other.as.operator)
    expect(foreign.status).toBe(201)
  })

  test.each([
    [{ traderId: 'trd_nobody' }, 'traderId'],
    [{ platform: 'abacus' }, 'platform'],
    [{ currency: 'XXQ' }, 'currency'],
    [{ balance: '1.001' }, 'balance'],
    [{ balance: 5 }, 'balance'],
    [{ equity: '123456789012345678901234567890' }, 'equity'],
    [{ leverage: 0 }, 'leverage'],
    [{ leverage: 10_001 }, 'leverage'],
    [{ leverage: 1.5 }, 'leverage'],
    [{ isDemo: 'yes' }, 'isDemo'],
    [{ metadata: [] }, 'metadata'],
    [{ metadata: { big: 'x'.repeat(17_000) } }, 'metadata'],
    [{ status: 'active' }, 'status'],
  ])('a wrong field of a new account is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await create(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('an account is refused for a deleted or foreign client, without a sign-in (401), and by viewers and clients (403)', async () => {
    const gone = await firm.trader()
    await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.manager })
    expect((await create({ traderId: gone })).body.errors[0].path).toBe('traderId')
    expect((await create({}, other.as.owner)).status).toBe(422)
    expect((await app.call('POST', '/v1/accounts', { body: {} })).status).toBe(401)
    expect((await create({}, firm.as.viewer)).status).toBe(403)
    expect((await create({}, await firm.traderSession(traderId))).status).toBe(403)
    expect((await create({}, await firm.key(['accounts:read']))).status).toBe(403)
  })
})

describe('PATCH /v1/accounts/{id}', () => {
  test('a patch changes the fields that are sent; the same patch again changes nothing', async () => {
    const account = await created({ balance: '10', metadata: { a: 1 } })
    const body = { equity: '12.5', status: 'suspended', leverage: 30 }
    const answer = await patch(account.id, body, firm.as.operator, { 'if-match': '"1"' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...body, equity: '12.50', balance: '10.00', metadata: { a: 1 }, version: 2 })
    expect(firm.effects()).toEqual({ events: [], actions: ['account.update'] })
    expect((await patch(account.id, body)).body.version).toBe(2)
    expect(firm.effects().actions).toEqual([])
  })

  test('a new currency of an account needs amounts in it, and is refused while there is money', async () => {
    const empty = await created()
    expect((await patch(empty.id, { currency: 'JPY' })).body).toMatchObject({ currency: 'JPY', balance: '0' })
    const full = await created({ balance: '10', equity: '11' })
    const other = { currency: 'EUR', balance: '9', equity: '9.5' }
    // an amount without a currency is in the account's present one
    const refused = await patch(full.id, other)
    expect([refused.body.code, refused.body.errors[0].path]).toEqual(['accounts.in_use', 'currency'])
    await app.call('PATCH', `/v1/accounts/${full.id}`, { as: firm.as.owner, body: { balance: '0' } })
    expect((await patch(full.id, { currency: 'EUR' })).body.errors[0].path).toBe('equity')
    const moved = await patch(full.id, other)
    expect(moved.body).toMatchObject({ currency: 'EUR', balance: '9.00', equity: '9.50' })
    expect((await patch(full.id, { currency: 'XXQ' })).status).toBe(422)
  })

  test('positions move with their account; an account with money keeps client and numbers, and cannot be deleted', async () => {
    const first = await firm.trader({ kycLevel: 2 })
    const body = { traderId: first, platform: 'terminal5', currency: 'EUR', accountNumber: '880088' }
    const { body: account } = await app.call('POST', '/v1/accounts', { as: firm.as.operator, body })
    const sync = (sequence: number, profit: string) =>
      app.call('POST', '/v1/positions/sync', {
        as: firm.as.operator,
        body: {
          platform: 'terminal5',
          server: 's',
          sequence,
          mode: 'delta',
          positions: [
            {
              ticket: '1',
              accountNumber: '880088',
              symbol: 'EURUSD',
              side: 'long',
              volume: '1',
              openPrice: '1',
              currentPrice: '1',
              profit,
              openedAt: '2026-01-01T00:00:00Z',
            },
          ],
        },
      })
    await sync(1, '5')
    const next = await firm.trader()
    expect((await patch(account.id, { traderId: next }, firm.as.manager)).status).toBe(200)
    const told = await app.call('GET', `/v1/audit?traderId=${first}&entity=account`, { as: firm.as.admin })
    expect(told.body.data[0].action).toBe('account.update')
    const seen = async (trader: string) =>
      (await app.call('GET', '/v1/positions', { as: await firm.traderSession(trader) })).body.data.length
    expect([await seen(first), await seen(next)]).toEqual([0, 1])
    await sync(2, '6')
    expect([await seen(first), await seen(next)]).toEqual([0, 1])
    expect((await patch(account.id, { externalId: 'late', balance: '500' })).status).toBe(200)
    for (const [field, value] of [
      ['traderId', first],
      ['accountNumber', '880089'],
      ['accountNumber', null],
      ['externalId', 'other'],
      ['platform', 'other'],
    ] as const) {
      const refused = await patch(account.id, { [field]: value, balance: '0' }, firm.as.admin)
      expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([409, 'accounts.in_use', field])
    }
    const remove = () => app.call('DELETE', `/v1/accounts/${account.id}`, { as: firm.as.manager })
    expect((await remove()).body.code).toBe('accounts.has_balance')
    await patch(account.id, { balance: '0' })
    expect((await remove()).status).toBe(204)
    firm.effects()
  })

  test('an account moves to another client of the same firm only; 404, 409, 412, 401, 403', async () => {
    const account = await created({ externalId: 'mine' })
    const next = await firm.trader()
    expect((await patch(account.id, { traderId: next })).status).toBe(403)
    expect((await patch(account.id, { traderId: next }, firm.as.manager)).body.traderId).toBe(next)
    expect((await patch(account.id, { traderId: await other.trader() }, firm.as.manager)).status).toBe(422)
    await created({ externalId: 'theirs' })
    expect((await patch(account.id, { externalId: 'theirs' })).body.errors[0].path).toBe('externalId')
    expect((await patch(account.id, { leverage: 1 }, firm.as.operator, { 'if-match': '"1"' })).status).toBe(412)
    expect((await patch(account.id, { leverage: 1 }, other.as.owner)).status).toBe(404)
    expect((await patch(account.id, { leverage: 1 }, firm.as.viewer)).status).toBe(403)
    expect((await app.call('PATCH', `/v1/accounts/${account.id}`, { body: {} })).status).toBe(401)
  })
})

describe('DELETE /v1/accounts/{id}', () => {
  test('a manager’s deletion removes an account and frees its number: 204', async () => {
    const account = await created({ accountNumber: '4242' })
    const remove = (as = firm.as.manager) => app.call('DELETE', `/v1/accounts/${account.id}`, { as })
    expect((await remove(firm.as.operator)).status).toBe(403)
    expect((await remove(other.as.owner)).status).toBe(404)
    expect((await remove()).status).toBe(204)
    expect(firm.effects()).toEqual({ events: [], actions: ['account.delete'] })
    expect((await remove()).status).toBe(404)
    expect((await app.call('GET', `/v1/accounts/${account.id}`, { as: firm.as.owner })).status).toBe(404)
    const found = await app.call('GET', '/v1/accounts?q=4242', { as: firm.as.owner })
    expect(found.body.data).toEqual([])
    expect((await create({ accountNumber: '4242' })).status).toBe(201)
  })
})

describe('GET /v1/accounts', () => {
  test('accounts are filtered and found by the start of a number; another firm’s are never shown', async () => {
    const trader = await firm.trader()
    const account = await created({ traderId: trader, accountNumber: '88112233', isDemo: true, currency: 'GBP' })
    const get = async (query: string, as = firm.as.viewer) =>
      (await app.call('GET', `/v1/accounts?${query}`, { as })).body.data.map((row: { id: string }) => row.id)
    for (const query of [
      `traderId=${trader}`,
      'q=8811',
      `q=${account.id}`,
      `currency=GBP&isDemo=true&platform=terminal5&status=active`,
    ]) {
      expect(await get(query)).toEqual([account.id])
      expect(await get(query, other.as.viewer)).toEqual([])
    }
    expect(await get(`traderId=${trader}&isDemo=false`)).toEqual([])
    expect(await get(`traderId=${trader}&status=closed`)).toEqual([])
    expect((await app.call('GET', '/v1/accounts?status=nope', { as: firm.as.viewer })).status).toBe(422)
    expect((await app.call('GET', '/v1/accounts')).status).toBe(401)
    expect((await app.call('GET', '/v1/accounts', { as: await firm.key(['traders:read']) })).status).toBe(403)
  })

  test('a client sees only their own accounts', async () => {
    const trader = await firm.trader()
    const own = await created({ traderId: trader })
    const foreign = await created()
    const as = await firm.traderSession(trader)
    const list = await app.call('GET', '/v1/accounts', { as })
    expect(list.body.data.map((row: { id: string }) => row.id)).toEqual([own.id])
    expect((await app.call('GET', `/v1/accounts/${own.id}`, { as })).status).toBe(200)
    expect((await app.call('GET', `/v1/accounts/${foreign.id}`, { as })).status).toBe(404)
    expect((await app.call('GET', `/v1/accounts?q=${foreign.accountNumber}`, { as })).body.data).toEqual([])
    expect((await patch(own.id, { leverage: 1 }, as)).status).toBe(403)
  })
})
