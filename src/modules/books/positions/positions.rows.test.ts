import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { reportPosition } from '../../../testing/position-report.ts'

let app: TestApp
let firm: Firm
let server: string
let sequence: number
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
beforeEach(() => {
  server = app.platform.ids.next('server')
  sequence = 0
  firm.effects()
})
afterAll(() => app.close())

const sync = (positions: unknown[], extra: object = {}) => {
  sequence += 1
  return app.call('POST', '/v1/positions/sync', {
    as: firm.as.operator,
    body: { platform: 'terminal5', server, sequence, mode: 'delta', positions, ...extra },
  })
}
const listOpen = async (): Promise<{ ticket: string; symbol: string; server: string }[]> =>
  (await app.call('GET', '/v1/positions?status=open&limit=200', { as: firm.as.viewer })).body.data.filter(
    (row: { server: string }) => row.server === server,
  )
const tickets = async () => (await listOpen()).map(({ ticket }) => ticket).toSorted()

/** Rows that are refused for one field each; the ticket of all but the last ones can be read. */
const BAD_ROWS: readonly [what: string, bad: object, path: string, code: string][] = [
  ['an open position without volume', { volume: '0' }, 'volume', 'not_positive'],
  ['a negative volume', { volume: '-1' }, 'volume', 'invalid'],
  ['lots of nine places', { volume: '0.123456789' }, 'volume', 'invalid'],
  ['an unknown side', { side: 'up' }, 'side', 'invalid'],
  ['a repeated ticket', { ticket: 'good' }, 'ticket', 'repeated'],
  ['no time of opening', { openedAt: 'today' }, 'openedAt', 'invalid'],
  ['a price in words', { openPrice: 'market' }, 'openPrice', 'invalid'],
  ['a number instead of text', { profit: 1.5 }, 'profit', 'invalid'],
  ['a swap of ten thousand million', { swap: '-10000000000' }, 'swap', 'amount_range'],
  ['a commission of ten thousand million', { commission: '10000000000' }, 'commission', 'amount_range'],
  ['a spread of ten thousand million', { spread: '10000000000' }, 'spread', 'amount_range'],
  ['a symbol of blanks at its ends', { symbol: ' EURUSD' }, 'symbol', 'invalid'],
  ['a symbol of 65 characters', { symbol: 'E'.repeat(65) }, 'symbol', 'invalid'],
  ['a symbol that turns the text around it', { symbol: 'EUR\u202eUSD' }, 'symbol', 'invalid'],
  ['a symbol with half a character', { symbol: 'EUR\ud83d' }, 'symbol', 'bad_text'],
  ['a null byte', { accountNumber: '70\u00001' }, 'accountNumber', 'bad_text'],
  ['an unknown field', { magic: '7' }, 'magic', 'unknown_field'],
]

describe('a bad row of positions', () => {
  test.each(BAD_ROWS)(
    'a row of positions with %s is refused, but no other row, and the answer names its field',
    async (_, bad, path, code) => {
      const { status, body } = await sync([reportPosition('good'), reportPosition('bad', bad), reportPosition('after')])
      expect([status, body.opened, body.refusedTotal]).toEqual([200, 2, 1])
      const ticket = Object.hasOwn(bad, 'ticket') ? 'good' : 'bad'
      expect(body.refused).toEqual([{ index: 1, ticket, path, code, message: expect.stringMatching(/./) }])
      expect(await tickets()).toEqual(['after', 'good'])
      expect(firm.effects().actions).toEqual(['position.sync'])
    },
  )

  test.each([
    ['null', null],
    ['a text', 'EURUSD'],
    ['a list', [reportPosition('1')]],
    ['an object without a ticket', { symbol: 'EURUSD' }],
    ['an object with a ticket of 41 characters', reportPosition('t'.repeat(41))],
    ['an object with a number as its ticket', reportPosition(12)],
  ])('a row of positions that is %s has no readable ticket', async (_, row) => {
    const { body } = await sync([reportPosition('good'), row])
    expect([body.opened, body.refused[0].ticket, body.refused[0].index]).toEqual([1, null, 1])
  })

  test('a row, but no other, is refused if its symbol or account number is not that of its ticket', async () => {
    await sync([reportPosition('1'), reportPosition('2')])
    const rows = [
      reportPosition('1', { symbol: 'GBPUSD' }),
      reportPosition('2', { accountNumber: '7002' }),
      reportPosition('3'),
    ]
    const { body } = await sync(rows)
    expect([body.opened, body.updated, body.refusedTotal]).toEqual([1, 0, 2])
    expect(body.refused.map((row: { path: string; code: string }) => `${row.path} ${row.code}`)).toEqual([
      'symbol in_use',
      'accountNumber in_use',
    ])
    expect(body.refused[0].message).toContain('EURUSD')
  })

  test('a refused row counts as present in a snapshot, so its position stays open', async () => {
    await sync([reportPosition('1'), reportPosition('2'), reportPosition('3')])
    const { body } = await sync([reportPosition('1'), reportPosition('2', { side: 'up' })], { mode: 'snapshot' })
    expect([body.closed, body.closedNothing, await tickets()]).toEqual([1, false, ['1', '2']])
  })

  test('a row whose ticket cannot be read keeps a snapshot from closing anything', async () => {
    await sync([reportPosition('1'), reportPosition('2')])
    const { body } = await sync([reportPosition('1'), reportPosition('')], { mode: 'snapshot' })
    expect([body.closed, body.closedNothing, await tickets()]).toEqual([0, true, ['1', '2']])
    expect((await sync([reportPosition('1'), reportPosition('')])).body.closedNothing).toBe(false)
  })

  test('a thousand refused rows are named, and the others are counted', async () => {
    const bad = Array.from({ length: 1001 }, (_, index) => reportPosition(`b${index}`, { side: 'up' }))
    const { body } = await sync([...bad, reportPosition('good')])
    expect([body.refused.length, body.refusedTotal, body.opened]).toEqual([1000, 1001, 1])
  })
})

describe('a call of positions', () => {
  test('a call whose rows are all refused is a 422, names the fields, and uses up no number', async () => {
    const none = await sync([reportPosition('1', { side: 'up' }), reportPosition('2', { volume: '0' }), null])
    expect(none.status).toBe(422)
    expect(none.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'positions.0.side',
      'positions.1.volume',
      'positions.2',
    ])
    sequence -= 1
    expect((await sync([reportPosition('1')])).body).toMatchObject({ applied: true, sequence: 1 })
    // a conflict with a stored row also refuses the call and gives the number back
    const other = await sync([reportPosition('1', { symbol: 'GBPUSD' })])
    expect([other.status, other.body.errors[0].path]).toEqual([422, 'positions.0.symbol'])
    sequence -= 1
    expect((await sync([reportPosition('1', { profit: '7' })])).body).toMatchObject({ applied: true, updated: 1 })
    expect(firm.effects().actions).toEqual(['position.sync', 'position.sync'])
  })

  test('a call without rows is taken, and as a snapshot it closes all positions', async () => {
    await sync([reportPosition('1')])
    expect((await sync([], { mode: 'snapshot' })).body).toMatchObject({ closed: 1, closedNothing: false })
  })

  test('a call with a bad head or too many rows is a 422 completely', async () => {
    expect((await sync([reportPosition('1')], { mode: 'both' })).body.errors[0].path).toBe('mode')
    expect((await sync([reportPosition('1')], { server: 'a\ud83d' })).body.errors[0].path).toBe('server')
    const many = await sync(Array.from({ length: 10_001 }, (_, index) => index))
    expect([many.status, many.body.errors[0].path]).toEqual([422, 'positions'])
    expect(await tickets()).toEqual([])
  })

  test('a call of positions takes the symbols and prices that platforms use', async () => {
    const symbols = ['EURUSD.£', '@ES', 'M&M', 'S&P500', '[SP500]', 'EURUSD!', 'EURUSD$', '^SPX', 'WFC*', 'TPGH=']
    symbols.push('GER40~', 'US 500', 'GOLD(spot)', '日経225', 'E'.repeat(64))
    const rows = symbols.map((symbol, index) => reportPosition(`s${index}`, { symbol, currentPrice: '-37.63' }))
    expect((await sync(rows)).body).toMatchObject({ opened: symbols.length, refusedTotal: 0 })
    expect((await listOpen()).map(({ symbol }) => symbol).toSorted()).toEqual(symbols.toSorted())
    const found = await app.call('GET', `/v1/positions?symbol=${encodeURIComponent('US 500')}`, { as: firm.as.viewer })
    expect(found.body.data.map((row: { symbol: string }) => row.symbol)).toEqual(['US 500'])
  })
})
