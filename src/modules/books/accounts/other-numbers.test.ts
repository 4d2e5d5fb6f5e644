/** What a dishonest colleague could try with the numbers of an empty account, and with names of platforms. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let bridge: Caller
const { call, client, readWallet, open, patch, home, fund, report, answer } = createAccountDesk(() => ({
  app,
  firm,
  bridge,
}))
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  bridge = await firm.key(['accounts:write', 'positions:write'], 'owner')
})
afterEach(() => app.close())

const kept = (id: string) =>
  app.platform.reader.get<{ at: number | null; by: string | null; bridge: number; balance: number; equity: number }>(
    'SELECT balance_at AS at, balance_by AS by, by_bridge AS bridge, balance, equity FROM accounts WHERE id = ?',
    [id],
  )
const NOBODYS = { at: null, by: null, bridge: 0 }
const platforms = (names: string[], as: Caller = firm.as.admin) =>
  call(as, 'PATCH', '/v1/tenants/current', { platforms: names })

test('an empty account that gets another number does not count as reported by the bridge', async () => {
  const mule = await client('50000')
  const { body: account } = await open(firm.as.operator, mule, '1')
  await report('1', '0')
  await patch(bridge, account.id, { equity: '7' })
  expect((await patch(firm.as.manager, account.id, { accountNumber: '01' })).status).toBe(200)
  expect(kept(account.id)).toEqual({ ...NOBODYS, balance: 0, equity: 0 })
  // the platform reports number 1, so a loss there is not reported for this account
  await fund(await firm.traderSession(mule), account.id, mule, '50000')
  expect((await report('1', '0')).body.unlinked).toEqual(['1'])
  expect(answer(await home(firm.as.manager, account.id, mule, '50000'))).toEqual([409, 'transfers.not_reported'])
  expect((await readWallet(mule)).available).toBe('0.00')
  await report('01', '50000')
  expect((await home(firm.as.admin, account.id, mule, '50000')).status).toBe(201)
})

test.each([
  ['another platform', {}, { platform: 'terminal4' }],
  ['another currency', {}, { currency: 'USD' }],
  ['another id', { externalId: 'a' }, { externalId: 'b' }],
  ['no number', {}, { accountNumber: null }],
  ['a live account', { isDemo: true }, { isDemo: false }],
] as const)('an empty account that gets %s does not count as reported by the bridge', async (_, was, becomes) => {
  const { body: account } = await open(firm.as.operator, await client('1'), '1', was)
  await report('1', '0')
  expect(kept(account.id)).toMatchObject({ by: firm.as.owner.id, bridge: 1 })
  expect((await patch(firm.as.manager, account.id, becomes)).status).toBe(200)
  expect(kept(account.id)).toMatchObject(NOBODYS)
})

test('amounts that are sent with other numbers count as reported by the sender', async () => {
  const { body: account } = await open(firm.as.operator, await client('1'), '1')
  await report('1', '0')
  const body = { accountNumber: '2', balance: '5', equity: '6' }
  expect((await patch(firm.as.manager, account.id, body)).body).toMatchObject({ balance: '5.00', equity: '6.00' })
  expect(kept(account.id)).toMatchObject({ at: app.clock.now(), by: firm.as.manager.id, bridge: 0 })
})

test('adding a missing number keeps the author of a zero, and keeps the balance', async () => {
  const mule = await client('1')
  const { body: account } = await open(firm.as.operator, await client('1'), '1')
  await report('1', '70000')
  expect((await patch(firm.as.manager, account.id, { externalId: 'x' })).body.balance).toBe('70000.00')
  expect(answer(await home(firm.as.owner, account.id, account.traderId, '70000'))[0]).toBe(409)
  const { body: other } = await open(firm.as.operator, await client('1'), '2')
  await report('2', '70000')
  await patch(firm.as.manager, other.id, { balance: '0' })
  expect((await patch(firm.as.manager, other.id, { externalId: 'y' })).status).toBe(200)
  expect(answer(await patch(firm.as.manager, other.id, { traderId: mule }))).toEqual([409, 'accounts.in_use'])
})

test('numbers that differ by blanks count as the same, in a form and in a report', async () => {
  const mule = await client('100')
  const { body: account } = await open(firm.as.operator, mule, ' 1 ', { externalId: ' e ' })
  expect(account).toMatchObject({ accountNumber: '1', externalId: 'e' })
  expect((await open(firm.as.operator, mule, '1 ')).status).toBe(409)
  expect((await report(' 1', '5')).body).toMatchObject({ updated: 1, unlinked: [] })
  expect((await patch(firm.as.manager, account.id, { accountNumber: '1 ' })).body.version).toBe(2)
  expect(kept(account.id)).toMatchObject({ bridge: 1 })
  const row = { accountNumber: '1', balance: '1', equity: '1' }
  const head = { platform: 'terminal5', server: 's', sequence: 900 }
  const twice = { ...head, server: 'twins', accounts: [row, { ...row, accountNumber: '1 ' }] }
  // the first of two equal rows counts, and neither prevents the others
  expect((await call(bridge, 'POST', '/v1/accounts/sync', twice)).body).toMatchObject({ updated: 1, unlinked: ['1 '] })
  const position = {
    ticket: '1',
    accountNumber: '1 ',
    symbol: 'EURUSD',
    side: 'long',
    volume: '1',
    openPrice: '1.1',
    currentPrice: '1.1',
    profit: '1',
    openedAt: '2026-01-01T00:00:00Z',
  }
  const positions = { ...head, mode: 'delta', positions: [position, { ...position, ticket: '2', accountNumber: ' 9' }] }
  expect((await call(bridge, 'POST', '/v1/positions/sync', positions)).body).toMatchObject({ unlinked: ['9'] })
  await open(firm.as.operator, mule, '9')
  const { body } = await call(firm.as.viewer, 'GET', '/v1/positions')
  expect(
    body.data.map((row: { accountNumber: string; traderId: string }) => [row.accountNumber, row.traderId]),
  ).toEqual([
    ['9', mule],
    ['1', mule],
  ])
})

test('a platform whose name differs by blanks or case is refused: it would have no bridge', async () => {
  for (const name of ['Terminal5', 'terminal5 ', 'terminal 5'])
    expect((await platforms(['terminal4', name])).body.errors[0]).toMatchObject({ path: 'platforms', code: 'repeated' })
  expect((await platforms(['a', 'A'])).status).toBe(422)
  expect((await platforms([' a ', 'terminal4'])).body.platforms).toEqual(['terminal5', 'a', 'terminal4'])
  expect((await platforms(['a', 'a '])).status).toBe(422)
  // a double name that an older version accepted stays, and uses the other's bridge
  await app.platform.writer.submit(() =>
    app.platform.connection.run(`UPDATE tenants SET settings = '{"platforms":["terminal5","Terminal5"]}'`),
  )
  expect((await platforms(['terminal5', 'Terminal5', 'b'])).status).toBe(200)
  const mule = await client('50000')
  await report('', '')
  const { body: account } = await open(firm.as.operator, mule, '1', { platform: 'Terminal5' })
  await fund(await firm.traderSession(mule), account.id, mule, '50000')
  expect(answer(await home(firm.as.admin, account.id, mule, '50000'))).toEqual([409, 'transfers.not_reported'])
})

test('a platform whose name only looks like another’s, or is invisible, is refused', async () => {
  const look = [
    'termina15',
    'TerminaI5',
    'terminal5\ufe0f',
    'terminal5\u034f',
    'terminal5\u3164',
    'terminal5\u2800',
    'terminal\u200b5',
    'ｔerminal5',
    't\u0435rminal5',
  ]
  for (const name of look) {
    const refused = await platforms(['terminal4', name])
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'platforms'])
  }
  expect((await platforms(['MetaTrader 5', 'c-Trader_2.1'])).body.platforms).toHaveLength(3)
})

test('a list of platforms is stored trimmed, and its length is limited', async () => {
  await platforms(['MT5'], firm.as.owner)
  await open(firm.as.operator, await client('1'), '1', { platform: 'MT5' })
  const many = ['MT5', ...Array.from({ length: 49 }, (_, index) => `p${index}`)]
  const refused = await platforms(many)
  expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { path: 'platforms', code: 'too_many' }])
  expect((await platforms(many.slice(0, 49))).body.platforms).toEqual(['terminal5', ...many.slice(0, 49)])
  // stored names that could not be entered today are kept
  await app.platform.writer.submit(() =>
    app.platform.connection.run(`UPDATE tenants SET settings = ?`, [
      JSON.stringify({ platforms: ['terminal5', ...many, 'MT5\u0001'] }),
    ]),
  )
  expect((await call(firm.as.viewer, 'GET', '/v1/tenants/current')).body.platforms).toHaveLength(52)
})

test('the person who opened an account can correct it twice with the form', async () => {
  await report('x', '0')
  const { body: account } = await open(firm.as.operator, await client('1'), '123', { currency: 'USD' })
  const nothing = { currency: 'EUR', balance: '0', equity: '0' }
  expect((await patch(firm.as.operator, account.id, nothing)).status).toBe(200)
  expect(kept(account.id)).toMatchObject(NOBODYS)
  expect((await patch(firm.as.operator, account.id, { accountNumber: '124' })).status).toBe(200)
  // a zero without a change of currency is this person's report
  await patch(firm.as.operator, account.id, { balance: '0' })
  expect(kept(account.id)).toMatchObject({ by: firm.as.operator.id })
})

test('a platform with accounts is neither removed from the list nor renamed', async () => {
  const { body: account } = await open(firm.as.operator, await client('1'), '1', { platform: 'terminal4' })
  for (const names of [['terminal5'], ['terminal5', 'Terminal4']]) {
    const refused = await platforms(names, firm.as.owner)
    expect([refused.status, refused.body.errors[0]]).toMatchObject([422, { path: 'platforms', code: 'in_use' }])
  }
  expect((await platforms(['terminal4'])).body.platforms).toEqual(['terminal5', 'terminal4'])
  app.clock.advance(DAY)
  expect((await call(firm.as.manager, 'DELETE', `/v1/accounts/${account.id}`)).status).toBe(204)
  expect((await platforms([])).body.platforms).toEqual(['terminal5'])
})
