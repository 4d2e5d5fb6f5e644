import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { MOST_COUNTED } from './list-totals.ts'

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

const announce = (body: object, of = firm) =>
  app.call('POST', '/v1/deposits', { as: of.as.operator, body: { method: 'bank', ...body } })
const read = async (query: string, of = firm) =>
  (await app.call('GET', `/v1/deposits?limit=1&${query}`, { as: of.as.viewer })).body

describe('sums=true', () => {
  test('an empty list has no sums, and neither has a list without the parameter `sums`', async () => {
    expect((await read('sums=true')).sums).toEqual([])
    expect(await read('count=true')).toEqual({ data: [], nextCursor: null, total: 0 })
  })

  test('sums are exact by currency and cover all rows that pass the filters, on this page or not', async () => {
    for (const [currency, amount] of [
      ['USD', '0.10'],
      ['USD', '90071992547409.91'],
      ['USD', '90071992547409.91'],
      ['JPY', '1500'],
      ['KWD', '1.005'],
    ])
      expect((await announce({ traderId, currency, amount })).status).toBe(201)
    await announce({ traderId: await other.trader(), currency: 'USD', amount: '7' }, other)
    const usd = { currency: 'USD', count: 3, amount: '180143985094819.92' }
    const page = await read('sums=true&count=true')
    expect(page.sums).toEqual([
      { currency: 'JPY', count: 1, amount: '1500' },
      { currency: 'KWD', count: 1, amount: '1.005' },
      usd,
    ])
    expect(page.total).toBe(5)
    expect((await read('sums=true&currency=USD')).sums).toEqual([usd])
    // the next page has the same sums
    expect((await read(`sums=true&currency=USD&cursor=${(await read('currency=USD')).nextCursor}`)).sums).toEqual([usd])
    expect((await read('sums=true&status=settled')).sums).toEqual([])
    expect((await read('sums=true', other)).sums).toEqual([{ currency: 'USD', count: 1, amount: '7.00' }])
  })

  test('the sums for a client cover only their own rows', async () => {
    const mine = await firm.trader()
    await announce({ traderId: mine, currency: 'EUR', amount: '3' })
    const { body } = await app.call('GET', '/v1/deposits?sums=true&count=true', { as: await firm.traderSession(mine) })
    expect([body.sums, body.total]).toEqual([[{ currency: 'EUR', count: 1, amount: '3.00' }], 1])
  })

  test('sums are refused with a 422 on the parameter if its value is wrong or the list has no money', async () => {
    for (const path of ['/v1/deposits?sums=yes', '/v1/traders?sums=true']) {
      const { status, body } = await app.call('GET', path, { as: firm.as.viewer })
      expect([status, body.errors[0].path]).toEqual([422, 'query.sums'])
    }
  })
})

test('a list of more than 10,000 rows has a minimum as total and no sums', async () => {
  const large = await app.firm('large')
  const trader = await large.trader()
  const make = (rows: number) =>
    app.platform.writer.submit(() =>
      app.platform.connection.run(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO deposits (tenant_id, id, trader_id, method, currency, amount, created_at, updated_at)
      SELECT ?, 'many-' || ? || '-' || i, ?, 'bank', 'USD', 100, i, i FROM n`,
        [rows, large.tenantId, rows, trader],
      ),
    )
  await make(MOST_COUNTED)
  const exact = await read('count=true&sums=true', large)
  expect([exact.total, exact.totalIsMinimum]).toEqual([MOST_COUNTED, undefined])
  expect(exact.sums).toEqual([{ currency: 'USD', count: MOST_COUNTED, amount: '10000.00' }])
  await make(1)
  const beyond = await read('count=true&sums=true', large)
  expect([beyond.total, beyond.totalIsMinimum, beyond.sums]).toEqual([MOST_COUNTED, true, null])
  // a filter that leaves fewer rows makes the figures exact again
  const few = await read('count=true&sums=true&from=1970-01-01T00:00:09.991Z', large)
  expect([few.total, few.totalIsMinimum, few.sums]).toEqual([
    10,
    undefined,
    [{ currency: 'USD', count: 10, amount: '10.00' }],
  ])
})
