import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { terminalDeals } from '../deals/deals.table.ts'
import { ACTS } from '../simulator/simulator.acts.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let login: number

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  login = addLogin('real\\hedging-usd')
  await terminal.read(MINUTE)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const engine = () => terminal.simulator.engine
const addLogin = (group: string): number => {
  const added = makeLogin(engine(), { group }).login
  ACTS.manualDeposit(engine(), { login: added, amount: '10000', comment: 'cash' })
  return added
}
/** Opens and closes a position; returns the number of the deal that closed it. */
const trade = (of = login): number => {
  const [opened] = ACTS.open(engine(), { login: of, symbol: 'EURUSD', side: 'long', lots: '1.00' })
  app.clock.advance(MINUTE)
  const { id } = ACTS.close(engine(), { position: opened?.position ?? 0 })
  ACTS.editProfit(engine(), { deal: id, profit: '10' })
  return id
}
const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
const listOpen = async (kind: string) =>
  (await list(`/v1/platforms/findings?state=open&kind=${kind}`)).map((row: Record<string, unknown>) => [
    row.subject,
    row.amount,
  ])
/** Reads so often that what is missing is gone, and what a balance does not explain was looked for. */
const readOften = async () => {
  for (const pause of [31 * MINUTE, MINUTE, MINUTE, MINUTE]) await terminal.read(pause)
}

test('a trade that is changed once its day has ended is a finding, which never heals by itself', async () => {
  const [changed, gone, cancelled, demo] = [trade(), trade(), trade(), trade(addLogin('demo\\forex'))]
  await terminal.read(MINUTE)
  const today = trade()
  await terminal.read(MINUTE)
  ACTS.editProfit(engine(), { deal: today, profit: '11' })
  await readOften()
  // its day has not ended yet
  expect(await listOpen('deal_changed')).toEqual([])
  await terminal.read(DAY - HOUR)
  ACTS.editProfit(engine(), { deal: changed, profit: '30' })
  ACTS.deleteDeal(engine(), { deal: gone })
  ACTS.cancelDeal(engine(), { deal: cancelled })
  ACTS.editProfit(engine(), { deal: demo, profit: '50' })
  await readOften()
  const found = (amount: string) =>
    [
      [String(changed), amount],
      // its profit, and the commission that it took
      [String(gone), '-8.00'],
      [String(cancelled), '-8.00'],
    ].toSorted()
  expect((await listOpen('deal_changed')).toSorted()).toEqual(found('20.00'))
  ACTS.editProfit(engine(), { deal: changed, profit: '10' })
  await readOften()
  expect((await listOpen('deal_changed')).toSorted()).toEqual(found('0.00'))
  const [{ id }] = await list('/v1/platforms/findings?state=open&kind=deal_changed')
  const body = { ids: [id], reason: 'a price was wrong' }
  await app.call('POST', '/v1/platforms/findings/close', { as: firm.as.manager, body })
  await readOften()
  expect(await listOpen('deal_changed')).toHaveLength(2)
})

test('words of a deal that are written anew, and zeros that are written no more, are no finding', async () => {
  const id = trade()
  await terminal.read(MINUTE)
  await terminal.read(DAY)
  const deal = engine().state.deals.get(id)
  if (deal) deal.comment = 'seen by the desk'
  engine().changes += 1
  await systemCtx(app.platform, firm.tenantId, 'test').write('terminals.read', (tx) => {
    const stored = tx.find(terminalDeals, { number: String(id) })
    if (stored) tx.update(terminalDeals, stored.id, { profit: `${stored.profit}00` })
    return null
  })
  await terminal.read(DAY + MINUTE)
  const [, row] = (await list('/v1/platforms/deals?kind=trade')).toReversed()
  expect([row.number, row.comment, row.revision]).toEqual([String(id), 'seen by the desk', 2])
  expect(await listOpen('deal_changed')).toEqual([])
})

test('a booked transfer whose deal is not shown in a quarter of an hour is a finding, until the deal is read', async () => {
  const { walletId, accountId } = await linkClient(app, firm, login)
  await terminal.switchOn()
  await terminal.read(MINUTE)
  const body = { fromWalletId: walletId, toAccountId: accountId, amount: '10' }
  const send = async () => (await app.call('POST', '/v1/transfers', { as: firm.as.operator, body })).body
  await send()
  await terminal.instruct(SECOND)
  const hidden = await send()
  await terminal.instruct(SECOND)
  const booked = (await list(`/v1/transfers?q=${hidden.id}`))[0]
  expect(booked.state).toBe('booked')
  ACTS.hide(engine(), { deal: Number(booked.platformReference), forMs: HOUR })
  for (let n = 0; n < 14; n += 1) await terminal.read(MINUTE)
  expect(await listOpen('transfer_missing')).toEqual([])
  await terminal.read(2 * MINUTE)
  expect(await listOpen('transfer_missing')).toEqual([[hidden.id, '10.00']])
  for (let n = 0; n < 3; n += 1) await terminal.read(31 * MINUTE)
  expect(await listOpen('transfer_missing')).toEqual([])
  const [healed] = await list('/v1/platforms/findings?state=closed&kind=transfer_missing')
  expect([healed.subject, healed.healed]).toEqual([hidden.id, true])
})

test('a missing transfer that a person closed is not found again', async () => {
  const { walletId, accountId } = await linkClient(app, firm, login)
  await terminal.switchOn()
  await terminal.read(MINUTE)
  const body = { fromWalletId: walletId, toAccountId: accountId, amount: '10' }
  const { id } = (await app.call('POST', '/v1/transfers', { as: firm.as.operator, body })).body
  await terminal.instruct(SECOND)
  const [{ platformReference }] = await list(`/v1/transfers?q=${id}`)
  ACTS.hide(engine(), { deal: Number(platformReference), forMs: 2 * DAY })
  await terminal.read(16 * MINUTE)
  const [finding] = await list('/v1/platforms/findings?state=open&kind=transfer_missing')
  const said = { ids: [finding.id], reason: 'seen at the server' }
  const closed = await app.call('POST', '/v1/platforms/findings/close', { as: firm.as.manager, body: said })
  expect(closed.body.results).toMatchObject([{ ok: true }])
  await readOften()
  expect(await listOpen('transfer_missing')).toEqual([])
})
