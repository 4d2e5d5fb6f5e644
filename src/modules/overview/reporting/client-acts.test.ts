import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Scope } from '../../../platform/access/catalogue.ts'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let serial = 0
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const [BEFORE, FROM, LAST, TO] = [
  '2026-01-09T23:59:59.999Z',
  '2026-01-10T00:00:00.000Z',
  '2026-01-11T23:59:59.999Z',
  '2026-01-12T00:00:00.000Z',
]
const write = (sql: string, params: (string | number | null)[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.row', (tx) => tx.execute(sql, params))
const deposit = (traderId: string, iso: string) => {
  serial += 1
  return write(
    `INSERT INTO deposits (tenant_id, id, trader_id, method, currency, amount, settled_amount, status, settled_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, 'bank', 'EUR', 100, 100, 'settled', ?4, 0, 0)`,
    [`dep_${serial}`, traderId, Date.parse(iso)],
  )
}
const list = async (query: string): Promise<string[]> => {
  const { status, body } = await app.call('GET', `/v1/traders?limit=200&count=true&${query}`, {
    as: firm.as.viewer,
  })
  expect(status).toBe(200)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ lastName }: { lastName: string }) => lastName).toSorted()
}

test('clients are listed by when they were active, first paid in, or paid in at all: from its beginning, before its end', async () => {
  const client = (lastName: string) => firm.trader({ lastName })
  const payIn = async (lastName: string, ...times: string[]) => {
    const id = await client(lastName)
    for (const time of times) await deposit(id, time)
  }
  await payIn('before', BEFORE)
  await payIn('from', FROM)
  await payIn('last', LAST)
  await payIn('to', TO)
  await payIn('again', BEFORE, LAST, TO)
  await client('never')
  const period = (name: string): string => `${name}From=${FROM}&${name}To=${TO}`
  expect(await list(period('active'))).toEqual(['again', 'from', 'last'])
  expect(await list(period('firstDeposit'))).toEqual(['from', 'last'])
  expect(await list(period('deposited'))).toEqual(['again', 'from', 'last'])
  // one edge alone leaves the other side open
  expect(await list(`firstDepositTo=${TO}`)).toEqual(['again', 'before', 'from', 'last'])
  expect(await list(`depositedFrom=${TO}`)).toEqual(['again', 'to'])
  expect(await list(`activeTo=${FROM}`)).toEqual(['again', 'before'])
  expect((await app.call('GET', '/v1/traders?activeFrom=yesterday', { as: firm.as.viewer })).status).toBe(422)
})

test('a key learns of deposits, withdrawals and positions only with their scopes', async () => {
  const status = async (scopes: readonly Scope[], name: string, path = '') => {
    const as = await firm.key(['traders:read', ...scopes], 'manager')
    return (await app.call('GET', `/v1/traders${path}?${name}=${FROM}`, { as })).status
  }
  for (const name of ['activeFrom', 'activeTo', 'firstDepositFrom', 'firstDepositTo', 'depositedFrom', 'depositedTo'])
    for (const path of ['', '/export.csv'])
      expect([name, path, await status([], name, path)]).toEqual([name, path, 403])
  expect(await status(['deposits:read'], 'firstDepositFrom')).toBe(200)
  expect(await status(['deposits:read'], 'depositedTo')).toBe(200)
  expect(await status(['deposits:read', 'positions:read'], 'activeFrom')).toBe(403)
  expect(await status(['deposits:read', 'positions:read', 'withdrawals:read'], 'activeFrom')).toBe(200)
})

test('a key learns which positions are of live accounts only if it may read accounts', async () => {
  const read = async (scopes: readonly Scope[]) =>
    (await app.call('GET', '/v1/positions?live=true', { as: await firm.key(scopes, 'manager') })).status
  expect([await read(['positions:read']), await read(['positions:read', 'accounts:read'])]).toEqual([403, 200])
})

test('the file of clients has those whom the list shows for the same period', async () => {
  const { text } = await app.call('GET', `/v1/traders/export.csv?firstDepositFrom=${FROM}&firstDepositTo=${TO}`, {
    as: firm.as.owner,
  })
  expect(text.split('\n').filter((line: string) => line.includes('trd_'))).toHaveLength(2)
})

test('a figure of the dashboard is the number of rows of its list, also after a client was deleted', async () => {
  const gone = await firm.trader({ lastName: 'gone' })
  await deposit(gone, LAST)
  expect((await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.owner })).status).toBe(204)
  const { body } = await app.call('GET', '/v1/admin/reporting/dashboard?currency=EUR&from=2026-01-10&to=2026-01-12', {
    as: firm.as.manager,
  })
  expect(body.firm).toMatchObject({ active: 3, firstDeposits: 2 })
  expect(body.days.map(({ firstDeposits }: { firstDeposits: number }) => firstDeposits)).toEqual([1, 1])
})
