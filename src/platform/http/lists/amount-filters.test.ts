import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let traderId: string

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  traderId = await firm.trader()
  const announce = (amount: string, currency: string) =>
    app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency, amount, method: 'bank', providerReference: `R-${currency}-${amount}` },
    })
  for (const amount of ['10.00', '250.00', '99.99', '1000.00', '100.00', '100.01']) await announce(amount, 'EUR')
  for (const amount of ['5000', '70']) await announce(amount, 'JPY')
})
afterAll(() => app.close())

const read = async (query: string, as: Caller = firm.as.viewer) =>
  (await app.call('GET', `/v1/deposits?${query}`, { as })).body
const amounts = async (query: string): Promise<string[]> =>
  (await read(query)).data.map(({ amount }: { amount: string }) => amount)

describe('lists by amount', () => {
  test('both bounds of a list by amount are inclusive', async () => {
    expect((await amounts('currency=EUR&amountFrom=100&amountTo=250')).sort()).toEqual(['100.00', '100.01', '250.00'])
    expect(await amounts('currency=EUR&amountFrom=1000.01')).toEqual([])
    expect(await amounts('currency=JPY&amountFrom=71')).toEqual(['5000'])
  })

  test('a list by amount keeps its order over pages, in both directions', async () => {
    const upwards = ['10.00', '99.99', '100.00', '100.01', '250.00', '1000.00']
    for (const [sort, expected] of [
      ['amount', upwards],
      ['-amount', upwards.toReversed()],
    ] as const) {
      const found: string[] = []
      let cursor = ''
      do {
        const page = await read(`currency=EUR&sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`)
        found.push(...page.data.map(({ amount }: { amount: string }) => amount))
        cursor = page.nextCursor ?? ''
      } while (cursor)
      expect(found).toEqual(expected)
    }
  })

  test('totals and sums of a list by amount cover the rows within the bounds', async () => {
    const page = await read('currency=EUR&amountFrom=100.01&count=true&sums=true&status=pending')
    expect(page.total).toBe(3)
    expect(page.sums).toEqual([{ currency: 'EUR', count: 3, amount: '1350.01' }])
  })

  test.each([
    ['amountFrom=100', 'query.currency'],
    ['amountTo=100&currency=EUR,JPY', 'query.currency'],
    ['sort=-amount', 'query.currency'],
    ['currency=EUR&amountFrom=1.001', 'query.amountFrom'],
    ['currency=JPY&amountTo=0.5', 'query.amountTo'],
    ['currency=EUR&amountFrom=much', 'query.amountFrom'],
    ['currency=XXX&amountTo=1', 'query.currency'],
  ])('a list by amount refuses the query %s with an error on %s', async (query, path) => {
    const { status, body } = await app.call('GET', `/v1/deposits?${query}`, { as: firm.as.viewer })
    expect([status, body.errors[0].path]).toEqual([422, path])
  })

  test.each(['1,000', '.5', '1e3', '١٢'])('the refusal of “%s” says what an amount looks like', async (text) => {
    const { body } = await app.call('GET', `/v1/deposits?currency=EUR&amountFrom=${encodeURIComponent(text)}`, {
      as: firm.as.viewer,
    })
    expect(body.errors).toEqual([
      {
        path: 'query.amountFrom',
        code: 'invalid',
        message: 'must be a number such as 1250.50: digits, and a point before at most 8 decimals',
      },
    ])
  })

  test('a list by amount leaves out the rows of other firms', async () => {
    const other = await app.firm('beta')
    expect((await read('currency=EUR&amountFrom=1', other.as.owner)).data).toEqual([])
  })

  test('all lists of money accept bounds of the amount', async () => {
    for (const list of ['withdrawals', 'transfers', 'adjustments', 'affiliates/payouts']) {
      const { status } = await app.call('GET', `/v1/${list}?currency=EUR&amountFrom=1&amountTo=2&sort=-amount`, {
        as: firm.as.admin,
      })
      expect([list, status]).toEqual([list, 200])
    }
  })

  test('a file of a list by amount has the rows in its order', async () => {
    const { text } = await app.call('GET', '/v1/deposits/export.csv?currency=EUR&amountTo=100&sort=amount', {
      as: firm.as.manager,
    })
    const rows = text.trim().split('\n').slice(1)
    expect(rows.map((row: string) => /,(10\.00|99\.99|100\.00),/.exec(row)?.[1])).toEqual(['10.00', '99.99', '100.00'])
  })
})
