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

test('more results than are sorted at once are read open and closed, each by its own index, and merged', async () => {
  const count = 1200
  const other = await app.firm('beta')
  const as = other.as.operator
  const traderId = await other.trader()
  const account = { traderId, platform: 'terminal5', currency: 'GBP', accountNumber: '7001' }
  await app.call('POST', '/v1/accounts', { as, body: account })
  const made = Array.from({ length: count }, (_, at) => {
    // results are there twice, below and above zero
    const profit = `${(Math.floor(at / 2) * 7919) % 600}.00`
    return reportPosition(at.toString(), { profit: at % 4 < 2 ? `-${profit}` : profit })
  })
  const closing = { volume: '0', closedAt: '2026-01-15T10:00:00Z' }
  const closed = made.flatMap((position, at) => (at % 3 === 0 ? { ...position, ...closing } : []))
  const head = { platform: 'terminal5', server: 'live-1', mode: 'delta' }
  for (const [sequence, positions] of [made, closed].entries())
    await app.call('POST', '/v1/positions/sync', { as, body: { ...head, sequence: sequence + 1, positions } })
  const list = async (query: string, cursor = ''): Promise<{ profit: string; status: string; id: string }[]> => {
    const path = `/v1/positions?currency=GBP&limit=200&${query}${cursor && `&cursor=${cursor}`}`
    const { body } = await app.call('GET', path, { as: other.as.viewer })
    return body.nextCursor ? [...body.data, ...(await list(query, body.nextCursor))] : body.data
  }
  const all = await list('sort=createdAt')
  const byResult = all.toSorted((a, b) => Number(a.profit) - Number(b.profit) || (a.id < b.id ? -1 : 1))
  expect([all.length, all.filter(({ status }) => status === 'closed').length]).toEqual([count, count / 3])
  expect(await list('sort=amount')).toEqual(byResult)
  expect(await list('sort=-amount')).toEqual(byResult.toReversed())
  for (const status of ['open', 'closed'])
    expect(await list(`sort=amount&status=${status}`)).toEqual(byResult.filter((row) => row.status === status))
  const bounds = 'amountFrom=-550&amountTo=550'
  const inside = byResult.filter(({ profit }) => Math.abs(Number(profit)) <= 550)
  expect(await list(`sort=amount&${bounds}`)).toEqual(inside)
  expect((await list(bounds)).map(({ id }) => id).toSorted()).toEqual(inside.map(({ id }) => id).toSorted())
  const { body } = await app.call('GET', `/v1/positions?currency=GBP&${bounds}&count=true&sums=true`, {
    as: other.as.viewer,
  })
  const sum = inside.reduce((total, { profit }) => total + Number(profit), 0)
  expect([body.total, body.sums]).toEqual([
    inside.length,
    [{ currency: 'GBP', count: inside.length, amount: sum.toFixed(2) }],
  ])
  const file = await app.call('GET', '/v1/positions/export.csv?currency=GBP&sort=amount', { as: other.as.owner })
  expect([...(file.text.match(/pos_\w+/g) ?? [])]).toEqual(byResult.map(({ id }) => id))
})

test('the sums of positions leave out those whose currency is not known', async () => {
  const { body } = await read('sums=true&count=true')
  expect(body.total).toBe(5)
  expect(body.sums).toEqual([
    { currency: 'EUR', count: 3, amount: '872.50' },
    { currency: 'USD', count: 1, amount: '5.00' },
  ])
})
