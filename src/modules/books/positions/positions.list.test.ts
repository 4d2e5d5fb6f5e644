import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { reportPosition } from '../../../testing/position-report.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  const traderId = await firm.trader()
  for (const [accountNumber, currency] of [
    ['7001', 'EUR'],
    ['7002', 'USD'],
  ] as const)
    await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'terminal5', currency, accountNumber },
    })
  const positions = [
    reportPosition('a', { symbol: 'XAUUSD', volume: '2', profit: '-40.00' }),
    reportPosition('b', { symbol: 'EURUSD', volume: '0.10', profit: '900.00' }),
    reportPosition('c', { symbol: 'GBPUSD', volume: '11', profit: '12.50' }),
    reportPosition('d', { accountNumber: '7002', volume: '1', profit: '5.00' }),
    reportPosition('e', { accountNumber: '9999', volume: '3', profit: '7.77' }),
  ]
  await app.call('POST', '/v1/positions/sync', {
    as: firm.as.operator,
    body: { platform: 'terminal5', server: 'live-1', sequence: 1, mode: 'delta', positions },
  })
})
afterAll(() => app.close())

const read = (query: string) => app.call('GET', `/v1/positions?${query}`, { as: firm.as.viewer })
const readAll = async (query: string, cursor = ''): Promise<string[]> => {
  const { body } = await read(`${query}&limit=1${cursor && `&cursor=${cursor}`}`)
  const shown = body.data.map(({ ticket }: { ticket: string }) => ticket)
  return body.nextCursor ? [...shown, ...(await readAll(query, body.nextCursor))] : shown
}

test('positions are sorted by symbol and by lots as numbers, page by page', async () => {
  expect(await readAll('status=open&sort=symbol')).toEqual(['b', 'd', 'e', 'c', 'a'])
  expect(await readAll('sort=-symbol')).toEqual(['a', 'c', 'e', 'd', 'b'])
  expect(await readAll('status=open&sort=volume')).toEqual(['b', 'd', 'a', 'e', 'c'])
  expect(await readAll('sort=-volume')).toEqual(['c', 'e', 'a', 'd', 'b'])
})

test('positions are sorted and bounded by result within one currency only', async () => {
  expect(await readAll('currency=EUR&status=open&sort=amount')).toEqual(['a', 'c', 'b'])
  expect(await readAll('currency=EUR&sort=-amount')).toEqual(['b', 'c', 'a'])
  expect(await readAll('currency=EUR&amountFrom=-50.00&amountTo=20.00&sort=amount')).toEqual(['a', 'c'])
  const refused = await read('sort=-amount')
  expect([refused.status, refused.body.errors[0].path]).toEqual([422, 'query.currency'])
})

test('the sums of positions leave out those whose currency is not known', async () => {
  const { body } = await read('sums=true&count=true')
  expect(body.total).toBe(5)
  expect(body.sums).toEqual([
    { currency: 'EUR', count: 3, amount: '872.50' },
    { currency: 'USD', count: 1, amount: '5.00' },
  ])
})
