import { afterAll, beforeAll, expect, test } from 'bun:test'
import { depositList } from '../modules/books/deposits/deposits.model.ts'
import { buildWhere } from '../platform/http/lists/page.ts'
import { createTestApp, type Firm, type TestApp } from '../testing/app.ts'

let app: TestApp
let firm: Firm
const made: Record<string, string> = {}

const get = (path: string, of = firm) => app.call('GET', path, { as: of.as.viewer })
const ids = async (query: string, of = firm): Promise<string[]> =>
  (await get(`/v1/deposits?${query}`, of)).body.data.map(({ id }: { id: string }) => id)

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  const traderId = await firm.trader()
  for (const method of ['bank', 'card', 'wallet', 'crypto']) {
    app.clock.advance(1000)
    const body = { traderId, currency: 'EUR', amount: '5', method }
    made[method] = (await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).body.id
  }
})
afterAll(() => app.close())

test('a list filter of one value, several values or one value twice finds exactly its rows in the firm', async () => {
  const { bank = '', card = '', wallet = '', crypto = '' } = made
  expect(await ids('method=card')).toEqual([card])
  expect(await ids('method=bank,wallet')).toEqual([wallet, bank])
  expect(await ids('method=bank,wallet&sort=createdAt')).toEqual([bank, wallet])
  expect(await ids('method=card,card')).toEqual([card])
  expect(await ids('method=bank,crypto&status=pending,settled')).toEqual([crypto, bank])
  expect(await ids('method=bank,crypto&status=failed,settled')).toEqual([])
  expect(await ids('method=bank,wallet', await app.firm('beta'))).toEqual([])
})

test('pages of a list filter of several values continue at a cursor that is valid for these values only', async () => {
  const first = (await get('/v1/deposits?method=bank,wallet&limit=1&count=true')).body
  expect([first.data[0].id, first.total]).toEqual([made.wallet, 2])
  expect(await ids(`method=bank,wallet&limit=1&cursor=${first.nextCursor}`)).toEqual([made.bank ?? ''])
  const other = await get(`/v1/deposits?method=bank,card&limit=1&cursor=${first.nextCursor}`)
  expect([other.status, other.body.errors[0].path]).toEqual([422, 'query.cursor'])
})

test('a list filter with an unknown or empty value, a blank, or more than 20 values is a 422 that names it', async () => {
  const many = Array.from({ length: 21 }, () => 'bank').join(',')
  for (const value of ['bank,gold', 'bank,', ',bank', 'bank, card', '', many]) {
    const { status, body } = await get(`/v1/deposits?method=${encodeURIComponent(value)}`)
    expect([value, status, body.errors?.[0].path]).toEqual([value, 422, 'query.method'])
  }
  expect(await ids(`method=${many.slice(5)}`)).toEqual([made.bank ?? ''])
})

test('a list filter of one value keeps the order of the index, and one of several finds its rows by the index', () => {
  const scope = { tenantId: firm.tenantId, traderId: null }
  const explainPlan = (status: string, place: string): string => {
    const { sql, params } = buildWhere(depositList, { status }, scope)
    return app.platform.connection
      .all<{ detail: string }>(
        `EXPLAIN QUERY PLAN SELECT * FROM deposits WHERE deposits.tenant_id = ? ${sql}
        ORDER BY ${place} DESC, deposits.id DESC LIMIT 51`,
        [firm.tenantId, ...params],
      )
      .map(({ detail }) => detail)
      .join('; ')
  }
  expect(buildWhere(depositList, { status: 'pending' }, scope)).toEqual({
    sql: ' AND deposits.status = ?',
    params: ['pending'],
  })
  expect(explainPlan('pending', 'deposits.created_at')).not.toContain('TEMP B-TREE')
  expect(explainPlan('pending,failed', '+deposits.created_at')).toContain('(tenant_id=? AND status=?)')
})
