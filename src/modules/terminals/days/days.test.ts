import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createAccountDesk } from '../../../testing/account-desk.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import { tellTerminalDays } from './days.jobs.ts'

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
const tell = () => tellTerminalDays.run({ platform: app.platform, signal: new AbortController().signal })
const days = async (query = '', as = firm.as.manager) =>
  (await app.call('GET', `/v1/platforms/days?${query}`, { as })).body.data
const addLogin = (group = 'real\\hedging-usd'): number => makeLogin(engine(), { group }).login
const deposit = (login: number, amount: string) => ACTS.manualDeposit(engine(), { login, amount, comment: 'cash' })
/** Lets the clock reach a moment, and reads. */
const readAt = async (moment: string) => terminal.read(Date.parse(moment) - app.clock.now())
/** Lets a day of the firm end and be made up, which begins at this moment. */
const endDay = async (midnight: string) => {
  await readAt(midnight)
  await terminal.read(11 * MINUTE)
  await tell()
}
const closeFindings = async (kind = '') => {
  const path = `/v1/platforms/findings?state=open${kind && `&kind=${kind}`}`
  const { data } = (await app.call('GET', path, { as: firm.as.manager })).body
  const body = { ids: data.map(({ id }: { id: string }) => id), reason: 'seen' }
  await app.call('POST', '/v1/platforms/findings/close', { as: firm.as.manager, body })
}

test('days are made up: the first one without a difference, later ones as the sum of what moved', async () => {
  await readAt('2026-01-15T23:00:00Z')
  const login = addLogin()
  deposit(login, '1000')
  ACTS.manualDeposit(engine(), { login: addLogin('demo\\forex'), amount: '77', comment: 'play' })
  await readAt('2026-01-15T23:50:00Z')
  // nothing is made up before ten minutes are over
  await readAt('2026-01-16T00:05:00Z')
  await tell()
  expect(await days()).toEqual([])
  await endDay('2026-01-16T00:06:00Z')
  const [first] = await days()
  const none = { transfersOut: '0.00', owned: '0.00', unexplained: '0.00', inFlight: '0.00' }
  expect(first).toMatchObject({ day: '2026-01-15', currency: 'USD', revision: 1, accounts: 1, balance: '1000.00' })
  expect(first).toMatchObject({ ...none, unknown: '1000.00', state: 'open', owed: '1000.00', equity: '1000.00' })

  ACTS.credit(engine(), { login, amount: '50', comment: 'welcome' })
  const [opened] = ACTS.open(engine(), { login, symbol: 'EURUSD', side: 'long', lots: '0.10' })
  await terminal.read(HOUR)
  ACTS.close(engine(), { position: opened?.position ?? 0 })
  ACTS.otherDeal(engine(), { login, action: 8, amount: '-1.50' })
  await readAt('2026-01-16T23:59:00Z')
  // what is traded in the last minute is in the balance of the day, though that was read before it
  app.clock.advance(30_000)
  ACTS.otherDeal(engine(), { login, action: 12, amount: '0.25' })
  await endDay('2026-01-17T00:00:20Z')
  const [second] = await days('from=2026-01-16&to=2026-01-17')
  const truth = engine().state.accounts.get(login)?.balance ?? 0
  expect(second).toMatchObject({ day: '2026-01-16', ...none, unknown: '0.00', credit: '50.00', state: 'clean' })
  expect(Number(second.balance) * 100).toBeCloseTo(truth, 6)
  expect(Number(second.trading)).toBeCloseTo(truth / 100 - 1000, 6)
  expect(Number(second.equity) - Number(second.owed)).toBeCloseTo(50, 6)
  expect(Date.parse(second.equityAt)).toBeLessThan(Date.parse('2026-01-17T00:00:00Z'))
  expect(await days('state=clean')).toHaveLength(1)
  expect((await app.call('GET', '/v1/platforms/days', { as: firm.as.operator })).status).toBe(403)
  const file = await app.call('GET', '/v1/platforms/days/export.csv', { as: firm.as.manager })
  expect(file.text.split('\n').filter((line) => line.includes('2026-01-1'))).toHaveLength(2)
})

test('a movement that a person explains makes its day owned, as a new revision', async () => {
  const login = addLogin()
  await terminal.read(MINUTE)
  deposit(login, '50')
  await terminal.read(MINUTE)
  await endDay('2026-01-16T00:00:00Z')
  await tell()
  expect(await days('revisions=true')).toMatchObject([{ unknown: '50.00', owned: '0.00', state: 'open' }])
  await terminal.read(3 * HOUR)
  await closeFindings()
  await terminal.read(MINUTE)
  await tell()
  await tell()
  expect(await days()).toMatchObject([{ unknown: '0.00', owned: '50.00', state: 'owned', revision: 2 }])
  const both = await days('revisions=true')
  expect(both.map(({ revision }: { revision: number }) => revision)).toEqual([2, 1])
  expect(both[1].replacedAt).toBe(both[0].createdAt)
})

test('a late deal of days before makes new revisions of that day and of those after it', async () => {
  const login = addLogin()
  deposit(login, '100')
  await terminal.read(MINUTE)
  for (const day of [16, 17, 18]) await endDay(`2026-01-${day}T00:00:00Z`)
  const late = ACTS.otherDeal(engine(), { login, action: 8, amount: '-7' })
  ACTS.backdateDeal(engine(), { deal: late.id, byMs: 2 * DAY })
  await terminal.read(MINUTE)
  await tell()
  const found = await days()
  const told = found.map((row: Record<string, string>) => [row.day, row.revision, row.trading, row.balance])
  expect(told.toSorted()).toEqual([
    ['2026-01-15', 1, '0.00', '100.00'],
    ['2026-01-16', 2, '-7.00', '93.00'],
    ['2026-01-17', 2, '0.00', '93.00'],
  ])
  expect((await days()).map(({ unexplained }: { unexplained: string }) => Number(unexplained))).toEqual([0, 0, 0])
})

test('what is on its way to an account at midnight is in flight, whatever comes of it later', async () => {
  const desk = createAccountDesk(() => ({ app, firm, bridge: firm.as.owner }))
  await readAt('2026-01-15T20:00:00Z')
  const login = addLogin('real\\hedging-eur')
  await terminal.read(MINUTE)
  const traderId = await desk.client('500')
  const account = await desk.open(firm.as.operator, traderId, String(login), { server: 'Sim-Live', note: 'a test' })
  await desk.acknowledges(true)
  const sent = await desk.fund(firm.as.manager, account.body.id, traderId, '120')
  expect(sent.body).toMatchObject({ state: 'sent', toAmount: '120.00' })
  await endDay('2026-01-16T00:00:00Z')
  expect(await days()).toMatchObject([{ currency: 'EUR', balance: '0.00', inFlight: '120.00', state: 'clean' }])
  const deal = deposit(login, '120')
  await terminal.read(HOUR)
  const booked = await desk.say(firm.as.owner, sent.body.id, 'booked')
  expect(booked.body).toMatchObject({ state: 'booked' })
  // as the judging of movements does
  await systemCtx(app.platform, firm.tenantId, 'test').write('terminals.read', (tx) => {
    const row = tx.find(terminalDeals, { number: String(deal.id) })
    if (row) tx.update(terminalDeals, row.id, { transferId: sent.body.id })
    return null
  })
  await endDay('2026-01-17T00:00:00Z')
  const told = { transfersIn: '120.00', unknown: '0.00', inFlight: '0.00', state: 'clean', balance: '120.00' }
  expect(await days('from=2026-01-16')).toMatchObject([told])
  expect(await days('to=2026-01-16&revisions=true')).toMatchObject([{ inFlight: '120.00', revision: 1 }])
})

test('what no deal explains is unexplained, until a deal that was hidden does or a person', async () => {
  const [hidden, given] = [addLogin(), addLogin()]
  await terminal.read(MINUTE)
  await endDay('2026-01-16T00:00:00Z')
  const deal = deposit(hidden, '30')
  ACTS.hide(engine(), { deal: deal.id, forMs: 30 * HOUR })
  ACTS.otherDeal(engine(), { login: given, action: 8, amount: '9' })
  const fixed = engine().state.accounts.get(given)
  if (fixed) fixed.balance += 4_00
  for (const after of [HOUR, MINUTE, MINUTE]) await terminal.read(after)
  await endDay('2026-01-17T00:00:00Z')
  const [open] = await days('from=2026-01-16')
  expect(open).toMatchObject({
    balance: '43.00',
    trading: '9.00',
    unknown: '0.00',
    unexplained: '34.00',
    state: 'open',
  })
  await endDay('2026-01-18T00:00:00Z')
  await readAt('2026-01-18T12:00:00Z')
  await terminal.read(MINUTE)
  await closeFindings('balance_differs')
  await tell()
  expect(await days('from=2026-01-16')).toMatchObject([
    { day: '2026-01-17', revision: 1, balance: '43.00', unexplained: '0.00', state: 'clean' },
    { day: '2026-01-16', revision: 2, balance: '43.00', unknown: '30.00', unexplained: '4.00', state: 'open' },
  ])
  await closeFindings()
  await tell()
  const owned = { unknown: '0.00', owned: '30.00', unexplained: '4.00', state: 'owned', revision: 3 }
  expect(await days('from=2026-01-16&to=2026-01-17')).toMatchObject([owned])
})

test('days are those of the firm’s zone, by currency and connection, and of nobody else', async () => {
  await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { timeZone: 'Asia/Tokyo' } })
  const other = await app.firm('beta')
  const second = await startTradingServer(app, firm, { seed: 8, settings: { server: 'Sim-Two', name: 'Two' } })
  const euros = addLogin('real\\hedging-eur')
  deposit(euros, '10')
  deposit(addLogin(), '20')
  const { login } = makeLogin(second.simulator.engine, { group: 'real\\netting-jpy' })
  ACTS.manualDeposit(second.simulator.engine, { login, amount: '3000', comment: 'cash' })
  await terminal.read(MINUTE)
  await endDay('2026-01-15T15:00:00Z')
  // these few minutes are of the next day in Tokyo
  deposit(euros, '5')
  await endDay('2026-01-16T15:00:00Z')
  const rows = await days()
  const told = rows.map((row: Record<string, string>) => [row.day, row.currency, row.balance, row.unexplained])
  expect(told.toSorted()).toEqual([
    ['2026-01-15', 'EUR', '10.00', '0.00'],
    ['2026-01-15', 'JPY', '3000', '0'],
    ['2026-01-15', 'USD', '20.00', '0.00'],
    ['2026-01-16', 'EUR', '15.00', '0.00'],
    ['2026-01-16', 'JPY', '3000', '0'],
    ['2026-01-16', 'USD', '20.00', '0.00'],
  ])
  expect(await days(`connectionId=${second.id}`)).toHaveLength(2)
  expect(await days('currency=EUR,USD')).toHaveLength(4)
  // a moment is the day of the firm that it is in
  expect(await days('from=2026-01-15T15:00:00Z&to=2026-01-16T15:00:00Z')).toHaveLength(3)
  expect(await days('', other.as.manager)).toEqual([])
  await second.server.stop()
})

test('after an outage of days each of them is made up', async () => {
  const login = addLogin()
  await terminal.read(MINUTE)
  await endDay('2026-01-16T00:00:00Z')
  deposit(login, '10')
  app.clock.advance(DAY)
  deposit(login, '20')
  app.clock.advance(DAY)
  await endDay('2026-01-19T00:00:00Z')
  const told = (await days()).map((row: Record<string, string>) => [row.day, row.balance, row.unknown, row.unexplained])
  expect(told.toSorted()).toEqual([
    ['2026-01-15', '0.00', '0.00', '0.00'],
    ['2026-01-16', '10.00', '10.00', '0.00'],
    ['2026-01-17', '30.00', '20.00', '0.00'],
    ['2026-01-18', '30.00', '0.00', '0.00'],
  ])
})
