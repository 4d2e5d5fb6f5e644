import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string
let server: string
let sequence: number
const ids: Record<string, string> = {}
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader()
  for (const [accountNumber, currency] of [
    ['1', 'EUR'],
    ['2', 'JPY'],
  ] as const)
    ids[accountNumber] = (await create(accountNumber, currency)).body.id
})
beforeEach(() => {
  server = app.platform.ids.next('server')
  sequence = 0
  firm.effects()
})
afterAll(() => app.close())

const create = (accountNumber: string, currency: string, platform = 'terminal5') =>
  app.call('POST', '/v1/accounts', { as: firm.as.operator, body: { traderId, platform, currency, accountNumber } })
const report = (accountNumber: string, balance: string, equity = balance, currency?: string) => ({
  accountNumber,
  balance,
  equity,
  ...(currency === undefined ? {} : { currency }),
})
const sync = (accounts: unknown[], extra: object = {}, as = firm.as.operator) => {
  sequence += 1
  return app.call('POST', '/v1/accounts/sync', {
    as,
    body: { platform: 'terminal5', server, sequence, accounts, ...extra },
  })
}
const read = async (number: string) =>
  (await app.call('GET', `/v1/accounts/${ids[number]}`, { as: firm.as.viewer })).body
const stored = (number: string) =>
  app.platform.reader.get<{ at: number; by: string | null }>(
    'SELECT balance_at AS at, balance_by AS by FROM accounts WHERE id = ?',
    [ids[number] ?? ''],
  )

describe('balances', () => {
  test('reported balances are matched by number, rounded to the currency, stored with time and author, and audited once', async () => {
    const before = await read('1')
    const { status, body } = await sync([report('1', '100.005', '99.995'), report('2', '500.5'), report('none', '1')])
    expect(status).toBe(200)
    const counts = { updated: 2, unchanged: 0 }
    expect(body).toEqual({
      applied: true,
      sequence: 1,
      ...counts,
      unlinked: ['none'],
      otherCurrency: [],
      refused: [],
      refusedTotal: 0,
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['account.sync'] })
    expect(await read('1')).toMatchObject({ balance: '100.00', equity: '100.00', version: before.version + 1 })
    expect(await read('2')).toMatchObject({ balance: '500', equity: '500' })
    expect(stored('1')).toEqual({ at: app.clock.now(), by: firm.as.operator.id })
  })

  test('unchanged balances keep the account’s version, but get the new author', async () => {
    const version = (await read('1')).version
    app.clock.advance(1000)
    const key = await firm.key(['accounts:write'], 'manager')
    expect((await sync([report('1', '100')], {}, key)).body).toMatchObject({ updated: 0, unchanged: 1 })
    expect((await read('1')).version).toBe(version)
    // a key counts as its maker
    expect(stored('1')).toEqual({ at: app.clock.now(), by: firm.as.manager.id })
    expect((await sync([report('1', '100', '101')])).body).toMatchObject({ updated: 1 })
    expect(stored('1')).toEqual({ at: app.clock.now(), by: firm.as.operator.id })
  })

  test('balances in another currency than the account’s are named in the answer and not applied', async () => {
    const before = await read('1')
    const { body } = await sync([report('1', '7', '7', 'USD'), report('2', '8', '8', 'JPY')])
    expect(body).toMatchObject({
      updated: 1,
      otherCurrency: [{ accountNumber: '1', currency: 'EUR', reported: 'USD' }],
    })
    expect(await read('1')).toEqual(before)
  })

  test('balances that the account’s currency cannot store do not prevent the others', async () => {
    await create('play', 'BTC')
    const before = await read('2')
    const { status, body } = await sync([
      report('play', '100000000'),
      report('2', '1', '9999999999999999', 'JPY'),
      report('1', '101'),
    ])
    expect([status, body.updated]).toEqual([200, 1])
    expect(body.otherCurrency).toEqual([
      { accountNumber: 'play', currency: 'BTC', reported: 'BTC' },
      { accountNumber: '2', currency: 'JPY', reported: 'JPY' },
    ])
    expect(await read('2')).toEqual(before)
    expect((await read('1')).balance).toBe('101.00')
  })

  test('balances do not reach accounts of the same number on another platform or in another firm', async () => {
    const twin = (await create('1', 'EUR', 'terminal4')).body
    const before = await read('1')
    await sync([report('1', '55')], { platform: 'terminal4' })
    expect(await read('1')).toEqual(before)
    expect((await app.call('GET', `/v1/accounts/${twin.id}`, { as: firm.as.viewer })).body.balance).toBe('55.00')
    expect((await sync([report('1', '66')], {}, other.as.operator)).body).toMatchObject({ updated: 0, unlinked: ['1'] })
    expect(await read('1')).toEqual(before)
  })
})

describe('a report', () => {
  test('a report with a repeated or older number changes nothing and says so; each server and kind counts separately', async () => {
    await sync([report('1', '10')], { sequence: 5 })
    firm.effects()
    for (const again of [5, 4])
      expect((await sync([report('1', '20')], { sequence: again })).body).toMatchObject({ applied: false, sequence: 5 })
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await read('1')).balance).toBe('10.00')
    const positions = { platform: 'terminal5', server, sequence: 1, mode: 'delta', positions: [] }
    const answer = await app.call('POST', '/v1/positions/sync', { as: firm.as.operator, body: positions })
    expect(answer.body.applied).toBe(true)
  })

  test.each([
    ['a repeated number', { accountNumber: '2' }, 'accountNumber', 'repeated'],
    ['an unknown currency', { currency: 'XXQ' }, 'currency', 'currency_unknown'],
    ['a number instead of text', { balance: 1 }, 'balance', 'invalid'],
    ['half a character', { accountNumber: '3\ud83d' }, 'accountNumber', 'bad_text'],
  ])('a reported row with %s is refused, but no other row', async (_, bad, path, code) => {
    const row = { ...report('3', '1'), ...bad }
    const { status, body } = await sync([report('2', '1'), row, report('1', '77')])
    expect([status, body.refusedTotal, (await read('1')).balance]).toEqual([200, 1, '77.00'])
    const accountNumber = code === 'bad_text' ? null : row.accountNumber
    expect(body.refused).toEqual([{ index: 1, accountNumber, path, code, message: expect.stringMatching(/./) }])
  })

  test('a report without any valid row, or with a bad head, is refused completely', async () => {
    const before = await read('1')
    firm.effects()
    const none = await sync([report('1', 'much'), null])
    expect([none.status, ...none.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      422,
      'accounts.0.balance',
      'accounts.1',
    ])
    sequence -= 1
    for (const [extra, path] of [
      [{ platform: 'MT5' }, 'platform'],
      [{ sequence: Number.MAX_SAFE_INTEGER }, 'sequence'],
    ] as const) {
      const answer = await sync([report('1', '77')], extra)
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
    }
    expect(await read('1')).toEqual(before)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await sync([report('1', '77')], {}, firm.as.viewer)).status).toBe(403)
  })

  test('a report of the same balance after a transfer counts as a new report, like one by a person', async () => {
    const accountId = ids['2']
    await app.platform.writer.submit(() =>
      app.platform.connection.run('UPDATE traders SET kyc_level = 2 WHERE id = ?', [traderId]),
    )
    const deposit = await app.call('POST', '/v1/deposits', {
      as: firm.as.operator,
      body: { traderId, currency: 'JPY', amount: '1000', method: 'bank' },
    })
    await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
    const wallets = await app.call('GET', `/v1/wallets?traderId=${traderId}&currency=JPY`, { as: firm.as.viewer })
    await sync([report('2', '900')])
    app.clock.advance(1000)
    const moved = await app.call('POST', '/v1/transfers', {
      as: firm.as.manager,
      body: { fromWalletId: wallets.body.data[0].id, toAccountId: accountId, amount: '100' },
    })
    expect(moved.status).toBe(201)
    app.clock.advance(1000)
    expect((await sync([report('2', '900')])).body).toMatchObject({ unchanged: 1 })
    expect(stored('2')?.at).toBe(app.clock.now())
  })

  test('a report of 10,000 accounts is taken in one call', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => report(`many${n}`, `${n}`))
    const { body } = await sync(many)
    expect([body.applied, body.unlinked.length]).toEqual([true, 1000])
  })
})
