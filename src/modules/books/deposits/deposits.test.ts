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

const announce = async (amount = '100.00', extra: object = {}) => {
  const answer = await app.call('POST', '/v1/deposits', {
    as: firm.as.operator,
    body: { traderId, currency: 'EUR', amount, method: 'bank', ...extra },
  })
  expect(answer.status).toBe(201)
  firm.effects()
  return answer.body
}
const readWallet = async (trader: string) =>
  (await app.call('GET', `/v1/wallets?traderId=${trader}`, { as: firm.as.viewer })).body.data[0]

describe('POST /v1/deposits', () => {
  test('an announcement makes a pending deposit, its event and its audit entry, and nothing else: 201', async () => {
    firm.effects()
    const answer = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency: 'EUR', amount: '12.5', method: 'card', note: 'first' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      traderId,
      currency: 'EUR',
      amount: '12.50',
      status: 'pending',
      settledAmount: null,
      settledAt: null,
      version: 1,
    })
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(firm.effects()).toEqual({ events: ['deposit.created'], actions: ['deposit.create'] })
    expect(other.effects()).toEqual({ events: [], actions: [] })
  })

  test('a client may have 20 pending announcements; staff may make more, and cancelling one makes room', async () => {
    const one = await firm.trader()
    const client = await firm.traderSession(one)
    const body = { currency: 'EUR', amount: '10.00', method: 'bank' }
    const byClient = () => app.call('POST', '/v1/deposits', { as: client, body })
    await announce('10.00', { traderId: one })
    const ids: string[] = []
    for (let n = 0; n < 20; n += 1) ids.push((await byClient()).body.id)
    expect(firm.effects().events).toHaveLength(20)
    const full = await byClient()
    expect([full.status, full.body.code]).toEqual([409, 'too_many_open'])
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    await announce('10.00', { traderId: one })
    expect((await app.call('POST', `/v1/deposits/${ids[0]}/cancel`, { as: client })).status).toBe(200)
    expect((await byClient()).status).toBe(201)
    firm.effects()
  })

  test('a client announces only their own money', async () => {
    const session = await firm.traderSession(traderId)
    const own = await app.call('POST', '/v1/deposits', {
      as: session,
      body: { currency: 'USD', amount: '5', method: 'card' },
    })
    expect(own.status).toBe(201)
    expect(own.body.traderId).toBe(traderId)
    const named = await app.call('POST', '/v1/deposits', {
      as: session,
      body: { currency: 'USD', amount: '5', method: 'card', providerReference: 'PAY-1' },
    })
    expect([named.status, named.body.errors[0].path]).toEqual([422, 'providerReference'])
    const noted = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency: 'USD', amount: '5', method: 'card', note: 'for colleagues' },
    })
    expect((await app.call('GET', `/v1/deposits/${noted.body.id}`, { as: session })).text).not.toContain('colleagues')
    expect((await app.call('GET', '/v1/deposits?limit=200', { as: session })).text).not.toContain('colleagues')
    const stranger = await firm.trader()
    const foreign = await app.call('POST', '/v1/deposits', {
      as: session,
      body: { traderId: stranger, currency: 'USD', amount: '5', method: 'card' },
    })
    expect(foreign.status).toBe(422)
    expect(foreign.body.errors[0].path).toBe('traderId')
  })

  test.each([
    [{ amount: '-1' }, 'amount'],
    [{ amount: '0' }, 'amount'],
    [{ amount: '1.001' }, 'amount'],
    [{ amount: '123456789012345678901234567890' }, 'amount'],
    [{ amount: 5 }, 'amount'],
    [{ currency: 'XXQ' }, 'currency'],
    [{ currency: 'eur' }, 'currency'],
    [{ method: 'cash' }, 'method'],
    [{ traderId: 'trd_nobody' }, 'traderId'],
    [{ pspConnectionId: 'psp_nobody' }, 'pspConnectionId'],
    [{ surprise: true }, 'surprise'],
    [{ note: 'x'.repeat(1001) }, 'note'],
  ])('a wrong field of an announcement is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency: 'EUR', amount: '10', method: 'bank', ...wrong },
    })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('an announcement for a client who is not active is a 409', async () => {
    const suspended = await firm.trader({ status: 'suspended' })
    const answer = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId: suspended, currency: 'EUR', amount: '10', method: 'bank' },
    })
    expect(answer.status).toBe(409)
    expect(answer.body.code).toBe('deposits.trader_not_active')
  })

  test('an announcement is a 401 without a credential, 403 below operator, 422 for another tenant’s client', async () => {
    const body = { traderId, currency: 'EUR', amount: '10', method: 'bank' }
    expect((await app.call('POST', '/v1/deposits', { body })).status).toBe(401)
    expect((await app.call('POST', '/v1/deposits', { as: firm.as.viewer, body })).status).toBe(403)
    expect((await app.call('POST', '/v1/deposits', { as: other.as.owner, body })).status).toBe(422)
  })

  test('an announcement with a repeated Idempotency-Key does nothing and answers the same', async () => {
    const body = { traderId, currency: 'EUR', amount: '77', method: 'bank' }
    const headers = { 'idempotency-key': 'deposit-77' }
    firm.effects()
    const first = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body, headers })
    const again = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body, headers })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(firm.effects().events).toEqual(['deposit.created'])
    const changed = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { ...body, amount: '78' },
      headers,
    })
    expect(changed.status).toBe(422)
    expect(changed.body.errors[0]).toMatchObject({ path: 'header.idempotency-key', code: 'idempotency_mismatch' })
    const somebodyElse = await app.call('POST', '/v1/deposits', { as: firm.as.manager, body, headers })
    expect(somebodyElse.body.id).not.toBe(first.body.id)
  })
})

describe('POST /v1/deposits/{id}/settle', () => {
  test('settling credits the wallet once, with event and audit; settling again is a 409 that names the state', async () => {
    const trader = await firm.trader()
    const deposit = await announce('250.10', { traderId: trader })
    const answer = await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.manager })
    expect(answer.status).toBe(200)
    const settledAt = new Date(app.clock.now()).toISOString()
    expect(answer.body).toMatchObject({ status: 'settled', settledAmount: '250.10', settledAt, version: 2 })
    expect(firm.effects()).toEqual({ events: ['deposit.settled'], actions: ['deposit.settle'] })
    expect(await readWallet(trader)).toMatchObject({ currency: 'EUR', available: '250.10', held: '0.00' })
    const again = await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.manager })
    expect(again.status).toBe(409)
    expect(again.body.errors[0].message).toContain('settled')
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await readWallet(trader)).available).toBe('250.10')
  })

  test('50 simultaneous settlements credit once: one succeeds, 49 get the state', async () => {
    const trader = await firm.trader()
    const deposit = await announce('10', { traderId: trader })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.manager })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    expect((await readWallet(trader)).available).toBe('10.00')
  })

  test('settling is a 403 for an operator, and a 404 for another tenant exactly as for an unknown id', async () => {
    const deposit = await announce()
    expect((await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.operator })).status).toBe(403)
    const foreign = await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: other.as.owner })
    const absent = await app.call('POST', '/v1/deposits/dep_nothing/settle', { as: other.as.owner })
    expect([foreign.status, absent.status]).toEqual([404, 404])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' })
  })

  test('settling is a 412 if the deposit changed since it was read', async () => {
    const deposit = await announce()
    const stale = await app.call('POST', `/v1/deposits/${deposit.id}/settle`, {
      as: firm.as.manager,
      headers: { 'if-match': '"7"' },
    })
    expect(stale.status).toBe(412)
    const fresh = await app.call('POST', `/v1/deposits/${deposit.id}/settle`, {
      as: firm.as.manager,
      headers: { 'if-match': '"1"' },
    })
    expect(fresh.status).toBe(200)
  })
})

describe('POST /v1/admin/deposits/{id}/partial-settle', () => {
  test('a partial settlement credits the amount that arrived and notes it in the provider payload', async () => {
    const trader = await firm.trader()
    const deposit = await announce('1000', { traderId: trader })
    const answer = await app.call('POST', `/v1/admin/deposits/${deposit.id}/partial-settle`, {
      as: firm.as.manager,
      body: { settledAmount: '985.50', notes: 'bank kept its fee' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'partially_settled', amount: '1000.00', settledAmount: '985.50' })
    expect(answer.body.providerPayload.partialSettlement).toEqual({
      settledAmount: '985.50',
      notes: 'bank kept its fee',
      by: firm.as.manager.id,
      at: new Date(app.clock.now()).toISOString(),
    })
    expect(firm.effects()).toEqual({ events: ['deposit.settled'], actions: ['deposit.partial_settle'] })
    const event = app.platform.reader.get<{ body: string }>('SELECT body FROM events ORDER BY position DESC LIMIT 1')
    expect(JSON.parse(event?.body ?? '{}').payload).toMatchObject({ partial: true, settledAmount: '985.50' })
    expect((await readWallet(trader)).available).toBe('985.50')
  })

  test.each(['1000', '1000.01', '0', '-5'])('a partial settlement of %s for 1000 is a 422', async (settledAmount) => {
    const deposit = await announce('1000')
    const answer = await app.call('POST', `/v1/admin/deposits/${deposit.id}/partial-settle`, {
      as: firm.as.manager,
      body: { settledAmount },
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].path).toBe('settledAmount')
  })
})

describe('POST /v1/deposits/{id}/fail', () => {
  test('a deposit fails with its reason; settling it afterwards is a 409 for staff', async () => {
    const deposit = await announce()
    const answer = await app.call('POST', `/v1/deposits/${deposit.id}/fail`, {
      as: firm.as.manager,
      body: { reason: 'card declined' },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ status: 'failed', failureReason: 'card declined' })
    expect(firm.effects()).toEqual({ events: ['deposit.failed'], actions: ['deposit.fail'] })
    expect((await app.call('POST', `/v1/deposits/${deposit.id}/settle`, { as: firm.as.manager })).status).toBe(409)
  })
})

describe('GET /v1/deposits', () => {
  test('the list of deposits pages through everything once, newest first, even while rows are added', async () => {
    const own = await app.firm('pages')
    const trader = await own.trader()
    const ids: string[] = []
    for (let n = 0; n < 7; n++) {
      app.clock.advance(1000)
      const { body } = await app.call('POST', '/v1/deposits', {
        as: own.as.operator,
        body: { traderId: trader, currency: 'EUR', amount: '1', method: 'bank' },
      })
      ids.unshift(body.id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const answer: Awaited<ReturnType<TestApp['call']>> = await app.call(
        'GET',
        `/v1/deposits?limit=3${cursor ? `&cursor=${cursor}` : ''}`,
        { as: own.as.viewer },
      )
      expect(answer.status).toBe(200)
      seen.push(...answer.body.data.map((row: { id: string }) => row.id))
      cursor = answer.body.nextCursor
      app.clock.advance(1000)
      await app.call('POST', '/v1/deposits', {
        as: own.as.operator,
        body: { traderId: trader, currency: 'EUR', amount: '1', method: 'bank' },
      })
    } while (cursor)
    expect(seen).toEqual(ids)
  })

  test('a cursor works only for its tenant and its filters', async () => {
    await announce()
    await announce()
    const { body } = await app.call('GET', '/v1/deposits?limit=1', { as: firm.as.viewer })
    for (const path of [
      `/v1/deposits?limit=1&status=failed&cursor=${body.nextCursor}`,
      `/v1/deposits?cursor=${body.nextCursor}x`,
      '/v1/deposits?cursor=e30.abc',
    ]) {
      const answer = await app.call('GET', path, { as: firm.as.viewer })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].path).toBe('query.cursor')
    }
    const foreign = await app.call('GET', `/v1/deposits?limit=1&cursor=${body.nextCursor}`, { as: other.as.viewer })
    expect(foreign.status).toBe(422)
  })

  test('the list of deposits filters and counts, and refuses unknown or repeated parameters', async () => {
    const pending = await app.call('GET', `/v1/deposits?status=pending&count=true&traderId=${traderId}`, {
      as: firm.as.viewer,
    })
    expect(pending.status).toBe(200)
    expect(pending.body.data.every((row: { status: string }) => row.status === 'pending')).toBe(true)
    expect(pending.body.total).toBeGreaterThan(0)
    for (const [query, path] of [
      ['colour=red', 'query.colour'],
      ['limit=0', 'query.limit'],
      ['limit=201', 'query.limit'],
      ['limit=abc', 'query.limit'],
      ['status=nope', 'query.status'],
      ['status=pending&status=failed', 'query.status'],
      ['sort=method', 'query.sort'],
      ['from=yesterday', 'query.from'],
    ]) {
      const answer = await app.call('GET', `/v1/deposits?${query}`, { as: firm.as.viewer })
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].path).toBe(path)
    }
  })

  test('another tenant sees no deposits, a client only their own; an empty list is a list', async () => {
    const empty = await app.call('GET', '/v1/deposits', { as: other.as.viewer })
    expect(empty.body).toEqual({ data: [], nextCursor: null })
    const stranger = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', '/v1/deposits', { as: stranger })).body.data).toEqual([])
    const deposit = await announce()
    expect((await app.call('GET', `/v1/deposits/${deposit.id}`, { as: stranger })).status).toBe(404)
    const own = await firm.traderSession(traderId)
    expect((await app.call('GET', `/v1/deposits/${deposit.id}`, { as: own })).status).toBe(200)
  })
})

describe('GET /v1/deposits/export.csv', () => {
  test('the file streams all matching deposits, defuses formulas, and is audited', async () => {
    await announce('3.00', { note: '=HYPERLINK("http://x")' })
    firm.effects()
    const answer = await app.call('GET', '/v1/deposits/export.csv?status=pending', { as: firm.as.manager })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('text/csv')
    const lines = answer.text.trim().split('\n')
    expect(lines[0]).toStartWith('id,traderId,createdAt,status')
    expect(lines[0]?.trim()).toEndWith(',traderName')
    expect(answer.text).toContain(`"'=HYPERLINK`)
    expect(lines.length - 1).toBe(
      (await app.call('GET', '/v1/deposits?status=pending&count=true', { as: firm.as.viewer })).body.total,
    )
    expect(firm.effects().actions).toEqual(['deposit.export'])
    expect((await app.call('GET', '/v1/deposits/export.csv', { as: firm.as.operator })).status).toBe(403)
  })
})

test('the books balance after all these deposits', async () => {
  const answer = await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })
  expect(answer.body.balanced).toBe(true)
  expect(answer.body.accounts.length).toBeGreaterThan(0)
})
