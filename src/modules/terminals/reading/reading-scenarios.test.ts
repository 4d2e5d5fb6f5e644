import { afterEach, beforeEach, expect, test } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import {
  connectTrading,
  makeLogin,
  NEAR,
  startTradingServer,
  type TradingServer,
} from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { makeIdentity } from '../simulator/simulator.server.ts'
import { createSimulator } from '../simulator/simulator.ts'

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

const engine = () => terminal.simulator.engine
const list = async (path: string, of = firm) => (await app.call('GET', path, { as: of.as.admin })).body.data
const addLogin = (group = 'real\\hedging-usd', of = engine()): number => {
  const { login } = makeLogin(of, { group })
  ACTS.manualDeposit(of, { login, amount: '100000', comment: 'cash' })
  return login
}
const findClosings = async (id: string): Promise<{ lots: string; profit: string }[]> =>
  (await app.call('GET', `/v1/positions/${id}`, { as: firm.as.admin })).body.closings
const sum = (texts: readonly string[]): number =>
  texts.reduce((total, text) => total + Math.round(Number(text) * 100), 0)

test('three fills, two parts and the rest are one position, opened once, whose closings sum up', async () => {
  await terminal.read()
  const login = addLogin()
  await terminal.read(MINUTE)
  firm.effects()
  const order = { login, symbol: 'EURUSD', side: 'long', lots: '1.00', fills: ['0.20', '0.30', '0.50'] } as const
  const position = ACTS.open(engine(), order)[0]?.position ?? 0
  for (const lots of ['0.40', '0.35']) {
    app.clock.advance(5 * MINUTE)
    await terminal.read(MINUTE)
    ACTS.partial(engine(), { position, lots })
  }
  ACTS.close(engine(), { position })
  await terminal.read(MINUTE)
  const [row, ...others] = await list('/v1/positions?status=closed')
  expect([others, row.volume]).toEqual([[], '1.00'])
  const { events } = firm.effects()
  expect(events.filter((name) => name === 'position.opened')).toHaveLength(1)
  const closings = await findClosings(row.id)
  const deals = (await list('/v1/platforms/deals?kind=trade')).map(({ profit }: { profit: string }) => profit)
  expect(sum(closings.map(({ lots }) => lots))).toBe(100)
  expect(sum(closings.map(({ profit }) => profit))).toBe(sum(deals))
})

test('two unequal positions that close one another leave the rest open, and the profit counts once', async () => {
  await terminal.read()
  const login = addLogin()
  const [long] = ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  const [short] = ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'short', lots: '0.60' })
  await terminal.read(10 * MINUTE)
  ACTS.closeBy(engine(), { position: long?.position ?? 0, other: short?.position ?? 0 })
  await terminal.read(MINUTE)
  const [open, ...others] = await list('/v1/positions?status=open')
  expect([open.side, open.volume, others]).toEqual(['long', '0.40', []])
  const [closed] = await list('/v1/positions?status=closed')
  expect([closed.side, closed.volume]).toEqual(['short', '0.60'])
  const closings = [...(await findClosings(open.id)), ...(await findClosings(closed.id))]
  const deals = (await list('/v1/platforms/deals?kind=trade')).map(({ profit }: { profit: string }) => profit)
  expect(closings.map(({ lots }) => lots)).toEqual(['0.60', '0.60'])
  expect(sum(closings.map(({ profit }) => profit))).toBe(sum(deals))
})

test('a swap by reopening, a split and another group leave a position its first opening, and close nothing', async () => {
  await terminal.read()
  const login = addLogin()
  const [opened] = ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  await terminal.read(MINUTE)
  const [before] = await list('/v1/positions?status=open')
  const { id } = ACTS.rollover(engine(), { position: opened?.position ?? 0 })
  await terminal.read(10 * MINUTE)
  ACTS.moveGroup(engine(), { login, group: 'demo\\forex' })
  ACTS.moveGroup(engine(), { login, group: 'real\\hedging-usd' })
  ACTS.split(engine(), { symbol: 'EURUSD', ratio: 2 })
  for (const pause of [10 * MINUTE, MINUTE]) await terminal.read(pause)
  const [after, ...others] = await list('/v1/positions?status=open')
  expect([after.openedAt, after.ticket, after.volume, others]).toEqual([before.openedAt, before.ticket, '2.00', []])
  expect([id === opened?.position, await list('/v1/positions?status=closed')]).toEqual([false, []])
  expect(await terminal.findings()).toEqual([])
})

test('a deal that is set back by ten days is found by the next reading of hours, and has its new time', async () => {
  await terminal.stop()
  const since = new Date(app.clock.now() - 20 * DAY).toISOString()
  firm = await app.firm('beta')
  terminal = await startTradingServer(app, firm, { settings: { since } })
  const login = addLogin()
  await terminal.read()
  ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  await terminal.read(MINUTE)
  const [before] = await list('/v1/platforms/deals?kind=trade')
  ACTS.backdateDeal(engine(), { deal: Number(before.number), byMs: 10 * DAY })
  for (const pause of [31 * MINUTE, MINUTE]) await terminal.read(pause)
  const [after] = await list('/v1/platforms/deals?kind=trade')
  expect([after.number, Date.parse(before.at) - Date.parse(after.at)]).toEqual([before.number, 10 * DAY])
  expect(after.revisions).toHaveLength(1)
  expect((await list('/v1/positions?status=open'))[0].openedAt).toBe(after.at)
})

test('of a clock that is three minutes wrong nothing is derived, until it is right', async () => {
  await terminal.read()
  const login = addLogin()
  await terminal.read(MINUTE)
  engine().state.skew = 3 * MINUTE
  ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  for (let n = 0; n < 3; n += 1) await terminal.read(11 * MINUTE)
  expect([await terminal.findings(), await list('/v1/positions?status=open')]).toEqual([[['clock', '']], []])
  engine().state.skew = 0
  for (let n = 0; n < 2; n += 1) await terminal.read(3 * MINUTE)
  expect(await terminal.findings()).toEqual([])
  expect(await list('/v1/positions?status=open')).toHaveLength(1)
})

test('a login that comes into the groups with a deal of the last minutes is explained by it, not accused', async () => {
  const account = makeLogin(engine(), { group: 'managers\\api' })
  account.registered -= HOUR
  const { login } = account
  await terminal.read()
  await terminal.read(MINUTE)
  ACTS.manualDeposit(engine(), { login, amount: '50', comment: 'cash' })
  ACTS.moveGroup(engine(), { login, group: 'real\\hedging-usd' })
  for (let n = 0; n < 4; n += 1) await terminal.read(MINUTE)
  expect(await terminal.findings()).toEqual([])
})

test('a login that comes back from the archive is there again, and its finding heals', async () => {
  const login = addLogin()
  await terminal.read()
  ACTS.archive(engine(), { login })
  await terminal.read(MINUTE)
  expect(await terminal.findings()).toEqual([['login_archived', String(login)]])
  ACTS.restoreUser(engine(), { login })
  await terminal.read(MINUTE)
  expect(await terminal.findings()).toEqual([])
  expect((await list(`/v1/platforms/logins?q=${login}`))[0].state).toBe('unlinked')
})

test('a group that no mask names is not read, and a login that lacks a right is told which', async () => {
  await terminal.read()
  const login = addLogin('managers\\api')
  ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  await terminal.read(MINUTE)
  for (const path of ['/v1/platforms/logins', '/v1/platforms/deals', '/v1/positions'])
    expect(await list(path)).toEqual([])
  for (const manager of engine().state.managers.values()) manager.rights = manager.rights.filter((one) => one !== 24)
  const path = `/v1/platforms/connections/${terminal.id}/test`
  const { body } = await app.call('POST', path, { as: firm.as.admin, body: {} })
  const failing = body.checks.filter(({ state }: { state: string }) => state === 'fails')
  expect([failing.map(({ name }: { name: string }) => name), body.rights.missing]).toEqual([['money'], ['money']])
})

test('the same login on two servers is two accounts', async () => {
  const books = createSimulator({ time: app.clock, seed: 7 })
  const identity = makeIdentity(['localhost'], app.clock.now())
  const server = await books.listen({ port: 0, identity })
  const certificate = new X509Certificate(identity.cert).fingerprint256
  const address = `https://localhost:${server.port}`
  await connectTrading(app, firm, { name: 'Other', server: 'Sim-Other', address, trust: 'pinned', certificate })
  await terminal.read()
  const [one, other] = [addLogin(), addLogin('real\\hedging-usd', books.engine)]
  expect(one).toBe(other)
  ACTS.open(engine(), { login: one, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  ACTS.open(books.engine, { login: other, symbol: 'GBPUSD', side: 'short', lots: '0.50' })
  await terminal.read(MINUTE)
  const open = await list('/v1/positions?status=open')
  const places = open.map((row: Record<string, string>) => [row.server, row.accountNumber, row.symbol]).toSorted()
  expect(places).toEqual([
    ['Sim-Live', String(one), 'EURUSD'],
    ['Sim-Other', String(one), 'GBPUSD'],
  ])
  await server.stop()
})

test('a first load that ends midway goes on where it was, and tells of each trade since then once', async () => {
  // so many that they are loaded in two parts
  const logins = Array.from({ length: 120 }, () => addLogin())
  for (let day = 0; day < 8; day += 1) {
    const opened = logins
      .slice(day * 15, day * 15 + 15)
      .flatMap((login) => ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '0.10' }))
    app.clock.advance(HOUR)
    for (const { position } of opened) ACTS.close(engine(), { position: position ?? 0 })
    app.clock.advance(DAY - HOUR)
  }
  await terminal.stop()
  const late = await app.firm('beta')
  const since = new Date(app.clock.now() - 7.5 * DAY).toISOString()
  const books = terminal.simulator
  terminal = await startTradingServer(app, late, { settings: { since }, books })
  books.faults.add({ path: '/api/deal/get_batch', nth: 2, times: 3, effect: { do: 'cut', when: 'body' } })
  await terminal.read()
  const count = (): number =>
    app.platform.reader.all(`SELECT 1 FROM terminal_deals WHERE tenant_id = ? AND kind = 'trade'`, [late.tenantId])
      .length
  const some = count()
  expect([some > 0, some < 210]).toEqual([true, true])
  for (let n = 0; n < 3; n += 1) await terminal.read(MINUTE)
  expect([count(), await terminal.findings()]).toEqual([210, []])
  // of the eight days the first is earlier than what is loaded
  const { events } = late.effects()
  const countEvents = (name: string) => events.filter((one) => one === name).length
  expect(['position.opened', 'position.closed', 'position.corrected'].map(countEvents)).toEqual([105, 105, 0])
})
