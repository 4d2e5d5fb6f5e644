import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
let ada: string
let noor: string
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  ada = await client({ firstName: 'Ada', lastName: 'Byron', email: 'ada@x.test', phone: '+971577881107' })
  noor = await client({ email: 'noor@x.test' })
  await deposit(firm, ada, 'BA-1001')
  await deposit(firm, ada, 'WA-2002')
  await deposit(firm, noor, 'BA-1003')
  await deposit(other, await other.trader({ firstName: 'Ada', lastName: 'Byron' }), 'BA-1009')
})
afterAll(() => app.close())

const client = async (body: object): Promise<string> =>
  (await app.call('POST', '/v1/traders', { as: firm.as.operator, body })).body.id
const deposit = (of: Firm, traderId: string, providerReference: string) =>
  app.call('POST', '/v1/deposits', {
    as: of.as.operator,
    body: { traderId, currency: 'EUR', amount: '10', method: 'bank', providerReference },
  })
const found = async (q: string, as: Caller, more = ''): Promise<[string, string | null][]> => {
  const { status, body } = await app.call('GET', `/v1/deposits?sort=createdAt${more}&q=${encodeURIComponent(q)}`, {
    as,
  })
  expect(status).toBe(200)
  return body.data.map((row: { providerReference: string; traderName: string | null }) => [
    row.providerReference,
    row.traderName,
  ])
}
const BOTH: [string, string][] = [
  ['BA-1001', 'Ada Byron'],
  ['WA-2002', 'Ada Byron'],
]

describe('deposits are found', () => {
  test.each(['byron', 'Ada By', 'ada@x.test', '7881', '0577 881 107'])(
    'deposits are found by their client: %s',
    async (q) => {
      expect(await found(q, firm.as.operator)).toEqual(BOTH)
    },
  )

  test('deposits are found by the beginning of their reference, and by id', async () => {
    expect(await found('BA-100', firm.as.viewer)).toEqual([
      ['BA-1001', 'Ada Byron'],
      ['BA-1003', 'noor@x.test'],
    ])
    const { body } = await app.call('GET', '/v1/deposits?q=WA-2002', { as: firm.as.viewer })
    expect(await found(body.data[0].id, firm.as.viewer)).toEqual([['WA-2002', 'Ada Byron']])
  })

  test('deposits are found by the first six letters of a reference in any case, with blanks around it', async () => {
    for (const q of ['ba-1001', 'Ba-1001', 'bA-1001', ' BA-1001\t'])
      expect([q, await found(q, firm.as.viewer)]).toEqual([q, [['BA-1001', 'Ada Byron']]])
    const id = await client({ firstName: 'Mixed', email: 'mixed@x.test' })
    await deposit(firm, id, 'PaymentInvoiceX-7')
    for (const q of ['PAYMENtInvoiceX', 'paymentInvoiceX-7', 'pAyMeN'])
      expect([q, await found(q, firm.as.viewer)]).toEqual([q, [['PaymentInvoiceX-7', 'Mixed']]])
    expect(await found('paymentINVOICEx', firm.as.viewer)).toEqual([])
    const { body } = await app.call('GET', '/v1/search?q=%20wa-2002', { as: firm.as.viewer })
    expect(body.data).toMatchObject([{ kind: 'deposit', subtitle: expect.stringContaining('WA-2002') }])
  })

  test('a search of deposits keeps the other filters, page by page, with total and sums', async () => {
    expect(await found('byron', firm.as.viewer, '&status=settled')).toEqual([])
    const read = (rest: string) =>
      app.call('GET', `/v1/deposits?q=byron&limit=1&sort=createdAt${rest}`, { as: firm.as.viewer })
    const first = await read('&count=true&sums=true')
    expect(first.body).toMatchObject({ total: 2, sums: [{ currency: 'EUR', count: 2, amount: '20.00' }] })
    // another matching client does not change the list of the cursor
    await firm.trader({ firstName: 'Byron' })
    const second = await read(`&cursor=${first.body.nextCursor}`)
    expect([...first.body.data, ...second.body.data].map((row) => row.providerReference)).toEqual([
      'BA-1001',
      'WA-2002',
    ])
    expect(second.body.nextCursor).toBeNull()
  })

  test('deposits are found in their own firm only', async () => {
    expect(await found('byron', other.as.owner)).toEqual([['BA-1009', 'Ada Byron']])
  })

  test('a key without traders:read neither finds deposits by their client nor sees the client', async () => {
    const key = async (scopes: string[]): Promise<Caller> => {
      const { body } = await app.call('POST', '/v1/api-keys', { as: firm.as.owner, body: { label: 'k', scopes } })
      return { id: body.id, headers: { 'x-api-key': body.key } }
    }
    const blind = await key(['deposits:read'])
    for (const q of ['byron', '7881', 'ada@x.test', ada]) expect(await found(q, blind)).toEqual([])
    expect(await found('WA-2002', blind)).toEqual([['WA-2002', null]])
    expect(await found('byron', await key(['deposits:read', 'traders:read']))).toEqual(BOTH)
  })

  test('a client finds their own deposits by reference and not by a name', async () => {
    const as = await firm.traderSession(noor)
    expect(await found('BA-100', as)).toEqual([['BA-1003', null]])
    expect(await found('byron', as)).toEqual([])
  })
})
