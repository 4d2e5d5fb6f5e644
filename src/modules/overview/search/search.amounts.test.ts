import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { readAmounts } from './search.amounts.ts'

describe('amounts in a search', () => {
  const of = (text: string, currency: string): number[] =>
    readAmounts(text).flatMap(([one, minor]) => (one === currency ? [Number(minor)] : []))

  test.each([
    ['250', [25_000]],
    ['250 EUR', [25_000]],
    ['eur250', [25_000]],
    ['€ 250', [25_000]],
    ['0250.00', [25_000]],
    ['1,944.50', [194_450]],
    ['1.944,50', [194_450]],
    ['1 944,5', [194_450]],
    ['1’944.50', [194_450]],
    ['1,944', [194_400]],
    ['1,234,567', [123_456_700]],
    ['12.345', [1_234_500]],
    ['0.005', []],
    ['1,2,3', []],
    ['250 EUR 3', []],
    ['250 XYZ', []],
    ['EUR 250 USD', []],
    ['WIRE-250', []],
    ['99999999999999999999', []],
  ])('the text %s means %p in EUR', (text, minors) => {
    expect(of(text, 'EUR')).toEqual(minors)
  })

  test('one separator before three digits has both meanings where the currency has so many decimals', () => {
    expect(of('1,944', 'KWD')).toEqual([1_944_000, 1_944])
    expect(of('250', 'JPY')).toEqual([250])
    expect(of('250.50', 'JPY')).toEqual([])
    expect(of('250 USD', 'EUR')).toEqual([])
  })
})

describe('GET /v1/search for an amount', () => {
  let app: TestApp
  let firm: Firm
  const made = new Map<string, string>()
  beforeAll(async () => {
    app = createTestApp()
    firm = await app.firm('alpha')
    const other = await app.firm('beta')
    const deposit = async (of: Firm, amount: string, currency: string) => {
      const body = { traderId: await of.trader(), currency, amount, method: 'bank', providerReference: `R${made.size}` }
      const { body: answer } = await app.call('POST', '/v1/deposits', { as: of.as.operator, body })
      made.set(`${amount} ${currency}${of === other ? ' elsewhere' : ''}`, answer.id)
    }
    await deposit(firm, '250', 'EUR')
    await deposit(firm, '250.01', 'EUR')
    await deposit(firm, '250', 'USD')
    await deposit(firm, '1944.5', 'EUR')
    await deposit(other, '250', 'EUR')
  })
  afterAll(() => app.close())
  const ids = async (q: string) => {
    const { body } = await app.call('GET', `/v1/search?q=${encodeURIComponent(q)}`, { as: firm.as.viewer })
    return body.data.map(({ id }: { id: string }) => id).toSorted()
  }
  const of = (...names: string[]) => names.map((name) => made.get(name)).toSorted()

  test('deposits of exactly that amount are found, in each currency or in the named one, however it is written', async () => {
    expect(await ids('250')).toEqual(of('250 EUR', '250 USD'))
    expect(await ids('250 EUR')).toEqual(of('250 EUR'))
    expect(await ids('250,00 eur')).toEqual(of('250 EUR'))
    for (const text of ['1,944.50', '1.944,50', '1944.5']) expect(await ids(text)).toEqual(of('1944.5 EUR'))
    expect(await ids('249.99')).toEqual([])
  })

  test('a hit tells its state apart from its texts', async () => {
    const { body } = await app.call('GET', '/v1/search?q=1944.50', { as: firm.as.viewer })
    expect(body.data[0].facts.slice(1)).toEqual([
      { is: 'status', value: 'pending' },
      { is: 'note', value: 'R3' },
    ])
  })

  test.each(['deposits', 'withdrawals'])('amounts of %s are found by the index of amounts', (table) => {
    const plan = app.platform.connection.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT ${table}.id FROM json_each(?) AS sought CROSS JOIN ${table} ON ${table}.tenant_id = ?
        AND ${table}.currency = sought.value ->> 0 AND ${table}.amount = sought.value ->> 1 ORDER BY ${table}.id DESC LIMIT 8`,
      ['[]', 't'],
    )
    expect(plan.map(({ detail }) => detail).join()).toContain(
      `${table}_amount (tenant_id=? AND currency=? AND amount=?)`,
    )
  })
})
