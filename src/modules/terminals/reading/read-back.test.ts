import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { terminalLogins } from '../logins/logins.table.ts'
import { ACTS } from '../simulator/simulator.acts.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  await app.call('PATCH', '/v1/tenants/current', { as: firm.as.owner, body: { timeZone: 'Asia/Tokyo' } })
  terminal = await startTradingServer(app, firm)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const addLogin = (): number => makeLogin(terminal.simulator.engine).login
const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
/** Lets the clock reach a moment, and reads. */
const readAt = async (moment: string) => terminal.read(Date.parse(moment) - app.clock.now())
/** Returns how many logins were read back since a moment. */
const countRead = (since: string) =>
  systemCtx(app.platform, firm.tenantId, 'test')
    .db.list(terminalLogins, {})
    .filter(({ deepReadAt }) => deepReadAt >= Date.parse(since)).length

test('a deal of last week that was changed is found by night, and explains the balance again', async () => {
  const { engine } = terminal.simulator
  const login = addLogin()
  ACTS.manualDeposit(engine, { login, amount: '10000', comment: 'cash' })
  await terminal.read()
  const [opened] = ACTS.open(engine, { login, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  app.clock.advance(HOUR)
  const closed = ACTS.close(engine, { position: opened?.position ?? 0 })
  await terminal.read(MINUTE)
  app.clock.advance(8 * DAY)
  for (let n = 0; n < 3; n += 1) await terminal.read(MINUTE)
  ACTS.editProfit(engine, { deal: closed.id, profit: '77' })
  for (let n = 0; n < 3; n += 1) await terminal.read(MINUTE)
  expect(await terminal.findings()).toEqual([['balance_differs', String(login)]])
  await readAt('2026-01-24T15:59:00Z')
  expect(countRead('2026-01-24T00:00:00Z')).toBe(0)
  await readAt('2026-01-24T16:00:30Z')
  await terminal.read(MINUTE)
  expect(await terminal.findings()).not.toContainEqual(['balance_differs', String(login)])
  const [changed] = await list(`/v1/platforms/deals?kind=trade`)
  expect([changed.profit, changed.revision]).toEqual(['77.00', 2])
})

test('logins are read a piece after each reading, those not looked at for longest first, for two hours', async () => {
  for (let n = 0; n < 120; n += 1) addLogin()
  await readAt('2026-01-16T15:50:00Z')
  const night = '2026-01-16T16:00:00Z'
  await readAt(night)
  expect(countRead(night)).toBe(50)
  await terminal.read(MINUTE)
  expect(countRead(night)).toBe(100)
  // the reader begins anew, as after a restart, and goes on where it was
  const path = `/v1/platforms/connections/${terminal.id}`
  await app.call('PATCH', path, { as: firm.as.owner, body: { requestsPerSecond: 20 } })
  await terminal.read(MINUTE)
  expect(countRead(night)).toBe(120)
  for (let n = 0; n < 30; n += 1) addLogin()
  await readAt('2026-01-16T18:00:00Z')
  await terminal.read(MINUTE)
  expect(countRead(night)).toBe(120)
  await readAt('2026-01-17T16:00:00Z')
  // the thirty that were never read, and twenty of the others
  expect([countRead('2026-01-17T16:00:00Z'), countRead(night)]).toEqual([50, 150])
}, 60_000)
