import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
const connection = async () =>
  (await app.call('GET', `/v1/platforms/connections/${terminal.id}`, { as: firm.as.admin })).body
const findings = () => terminal.findings()
const addLogin = (group = 'real\\hedging-usd'): number => makeLogin(terminal.simulator.engine, { group }).login
/** Links a login to a client of the firm. */
const link = async (login: number, currency = 'USD'): Promise<string> => {
  const traderId = await firm.trader()
  const { body } = await app.call('POST', '/v1/accounts', {
    as: firm.as.operator,
    body: {
      traderId,
      platform: 'terminal5',
      server: 'Sim-Live',
      accountNumber: String(login),
      currency,
      note: 'a test',
    },
  })
  return body.id
}

test('a connection is read: logins, deals, positions, closings and the balance of a linked account', async () => {
  await terminal.read()
  const login = addLogin()
  const { engine } = terminal.simulator
  ACTS.manualDeposit(engine, { login, amount: '10000', comment: 'cash' })
  await terminal.read(MINUTE)
  const accountId = await link(login)
  await terminal.read(MINUTE)
  const [opened] = ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  await terminal.read(MINUTE)
  const [open] = await list('/v1/positions?status=open')
  expect(open).toMatchObject({ accountId, symbol: 'EURUSD', side: 'long', volume: '1.00', server: 'Sim-Live' })
  app.clock.advance(5 * MINUTE)
  ACTS.partial(engine, { position: opened?.position ?? 0, lots: '0.30' })
  app.clock.advance(MINUTE)
  ACTS.close(engine, { position: opened?.position ?? 0 })
  await terminal.read(MINUTE)
  const [closed] = await list('/v1/positions?status=closed')
  const { closings } = (await app.call('GET', `/v1/positions/${closed.id}`, { as: firm.as.admin })).body
  expect(closings.map(({ lots }: { lots: string }) => lots).toSorted()).toEqual(['0.30', '0.70'])
  const closingId = closings[0].id
  expect(await list(`/v1/positions?q=${closingId}`)).toMatchObject([{ id: closed.id }])
  const [truth] = terminal.simulator.engine.state.accounts.values()
  const account = (await app.call('GET', `/v1/accounts/${accountId}`, { as: firm.as.admin })).body
  const [row] = await list(`/v1/platforms/logins?q=${login}`)
  expect([account.balance, account.leverage, row.state]).toEqual([row.balance, 200, 'linked'])
  const both = (await app.call('GET', `/v1/accounts/${accountId}/terminal`, { as: firm.as.viewer })).body
  expect(both).toMatchObject({ asked: true, state: 'there', differs: [], theirs: { leverage: 200, mayTrade: true } })
  expect(both.theirs.balance).toBe(account.balance)
  expect(Date.parse(both.ours.at)).toBeLessThanOrEqual(app.clock.now())
  expect(Math.round(Number(row.balance) * 100)).toBe(truth?.balance ?? 0)
  expect(firm.effects().events).toEqual(expect.arrayContaining(['position.opened', 'position.closed']))
  expect(await findings()).toEqual([])
  const tested = await app.call('POST', `/v1/platforms/connections/${terminal.id}/test`, {
    as: firm.as.admin,
    body: {},
  })
  expect(tested.status).toBe(200)
  expect((await connection()).health).toMatchObject({ state: 'connected', clockOffsetMinutes: 120, lastError: null })
  const lots = (await list('/v1/platforms/deals?kind=trade')).map((deal: { lots: string }) => deal.lots)
  expect(lots).toEqual(['0.70', '0.30', '1.00'])
})

test('a position that was turned has its deals under the order that turned it', async () => {
  await terminal.read()
  const login = addLogin('real\\netting-usd')
  const { engine } = terminal.simulator
  await link(login)
  ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  app.clock.advance(MINUTE)
  ACTS.open(engine, { login, symbol: 'EURUSD', side: 'short', lots: '1.50' })
  await terminal.read(MINUTE)
  const [turned] = await list('/v1/positions?status=open')
  expect(turned).toMatchObject({ side: 'short', volume: '0.50' })
  const deals = await list(`/v1/platforms/deals?connectionId=${terminal.id}&position=${turned.ticket}&sort=at`)
  expect(deals.map(({ entry, lots }: { entry: string; lots: string }) => [entry, lots])).toEqual([
    ['in', '1.00'],
    ['turn', '1.50'],
  ])
  expect(await list(`/v1/platforms/deals?position=${turned.ticket}1`)).toEqual([])
})

test('what was opened before deals are read is found for what was closed since, and makes no event', async () => {
  const login = addLogin()
  const { engine } = terminal.simulator
  const [opened] = ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  const [other] = ACTS.open(engine, { login, symbol: 'GBPUSD', side: 'short', lots: '1.00' })
  const [over] = ACTS.open(engine, { login, symbol: 'USDJPY', side: 'long', lots: '1.00' })
  app.clock.advance(10 * MINUTE)
  ACTS.close(engine, { position: over?.position ?? 0 })
  ACTS.partial(engine, { position: other?.position ?? 0, lots: '0.40' })
  app.clock.advance(50 * MINUTE)
  await terminal.stop()
  const late = await app.firm('beta')
  // a connection of its own firm, which is made only now
  const since = new Date(app.clock.now() - 30 * MINUTE).toISOString()
  const first = terminal
  terminal = await startTradingServer(app, late, { settings: { since }, books: first.simulator })
  await terminal.read()
  ACTS.close(engine, { position: opened?.position ?? 0 })
  await terminal.read(MINUTE)
  const ask = async (path: string) => (await app.call('GET', path, { as: late.as.admin })).body.data
  expect(await terminal.findings()).toEqual([])
  const closed = (await ask('/v1/positions?status=closed')).map(({ symbol }: { symbol: string }) => symbol)
  expect(closed.toSorted()).toEqual(['EURUSD', 'USDJPY'])
  expect(await ask('/v1/positions?status=open')).toMatchObject([{ symbol: 'GBPUSD', volume: '0.60' }])
  expect(late.effects().events.filter((name) => name.startsWith('position'))).toEqual(['position.closed'])
})

test('what anybody pushes for a server that is read changes nothing, until the connection is removed', async () => {
  await terminal.read()
  const bridge = await firm.key(['positions:write'], 'owner')
  const row = {
    ticket: '77',
    accountNumber: '500001',
    symbol: 'EURUSD',
    side: 'long',
    volume: '1.00',
    openPrice: '1.1',
    currentPrice: '1.1',
    profit: '0',
    openedAt: '2026-01-15T11:00:00Z',
  }
  const push = async (sequence: number) => {
    const body = { platform: 'terminal5', server: 'Sim-Live', sequence, mode: 'delta', positions: [row] }
    return (await app.call('POST', '/v1/positions/sync', { as: bridge, body })).body
  }
  expect((await push(5)).applied).toBe(false)
  expect(await list('/v1/positions')).toEqual([])
  await app.call('DELETE', `/v1/platforms/connections/${terminal.id}`, { as: firm.as.owner })
  const byTime = await push(app.clock.now())
  expect(byTime.applied).toBe(true)
  const bridged = 'SELECT 1 FROM account_streams WHERE bridge_sequence IS NOT NULL'
  // what a bridge guards is guarded still
  expect(app.platform.reader.all(bridged, [])).toHaveLength(1)
})

test('equity, which moves with prices, is written as seldom as they, and at once before a midnight', async () => {
  await terminal.read()
  const login = addLogin()
  const { engine } = terminal.simulator
  ACTS.manualDeposit(engine, { login, amount: '10000', comment: 'cash' })
  ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  await terminal.read(MINUTE)
  const symbol = engine.state.symbols.get('EURUSD')
  const readEquity = async () => {
    const [{ equity }] = await list('/v1/platforms/logins')
    return Number(equity)
  }
  /** Moves the price and returns by how much that moved the equity, after so many milliseconds. */
  const move = async (after: number) => {
    const before = await readEquity()
    if (symbol) Object.assign(symbol, { bid: symbol.bid + 1000, ask: symbol.ask + 1000 })
    engine.changes += 1
    await terminal.read(after)
    return (await readEquity()) - before
  }
  const once = await move(5 * MINUTE)
  expect(once).toBeGreaterThan(0)
  expect(await move(4 * MINUTE)).toBe(0)
  expect(await move(MINUTE)).toBeCloseTo(2 * once)
  const midnight = Math.ceil(app.clock.now() / DAY) * DAY
  await terminal.read(midnight - app.clock.now() - 5 * MINUTE)
  expect(await move(MINUTE)).toBeCloseTo(once)
  expect(await move(MINUTE)).toBeCloseTo(once)
  ACTS.manualDeposit(engine, { login, amount: '5', comment: 'cash' })
  await terminal.read(5 * MINUTE)
  expect(await move(MINUTE)).toBe(0)
  ACTS.manualDeposit(engine, { login, amount: '5', comment: 'cash' })
  expect(await move(MINUTE)).toBeCloseTo(2 * once + 5)
})

test('of more positions than a reading may write prices of, each has its turn', async () => {
  const readEvery = { deals: 10, positions: 10, accounts: 60, prices: 5 }
  const path = `/v1/platforms/connections/${terminal.id}`
  expect((await app.call('PATCH', path, { as: firm.as.owner, body: { readEvery } })).status).toBe(200)
  await terminal.read()
  const login = addLogin()
  const { engine } = terminal.simulator
  ACTS.manualDeposit(engine, { login, amount: '10000000', comment: 'cash' })
  for (let n = 0; n < 1100; n += 1) ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '0.01' })
  await terminal.read(MINUTE)
  const symbol = engine.state.symbols.get('EURUSD')
  const countMoved = () => {
    const price = app.platform.reader.all<{ n: number }>('SELECT count(*) AS n FROM positions WHERE updated_at >= ?', [
      app.clock.now() - MINUTE / 2,
    ])
    return price[0]?.n
  }
  if (symbol) Object.assign(symbol, { bid: symbol.bid + 1000, ask: symbol.ask + 1000 })
  engine.changes += 1
  await terminal.read(MINUTE)
  expect(countMoved()).toBe(1000)
  await terminal.read(MINUTE)
  expect(countMoved()).toBe(100)
}, 60_000)

test('a server that a bridge reports is read only once a second person confirmed its connection', async () => {
  await terminal.stop()
  const other = await app.firm('beta')
  const bridge = await other.key(['positions:write'], 'owner')
  const report = { platform: 'terminal5', server: 'Sim-Live', sequence: 1, mode: 'snapshot', positions: [] }
  expect((await app.call('POST', '/v1/positions/sync', { as: bridge, body: report })).body.applied).toBe(true)
  terminal = await startTradingServer(app, other, { confirmed: false })
  addLogin()
  const logins = async () => (await app.call('GET', '/v1/platforms/logins', { as: other.as.admin })).body.data
  await terminal.read(MINUTE)
  expect(await logins()).toEqual([])
  const path = `/v1/platforms/connections/${terminal.id}/confirm`
  await app.call('POST', path, { as: other.as.admin, body: { version: 1 } })
  await terminal.read(MINUTE)
  expect(await logins()).toHaveLength(1)
})
