import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MINUTE } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let bridge: Caller
let sequence: number
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  bridge = await firm.key(['positions:write'])
  sequence = 0
})
afterEach(() => desk.close())

const ago = (minutes: number): string => new Date(app.clock.now() - minutes * MINUTE).toISOString()
/** Reports one ticket of a client as the platform's bridge does. */
async function report(traderId: string, row: object): Promise<void> {
  sequence += 1
  const position = {
    ticket: 'one',
    accountNumber: desk.findAccount(traderId),
    symbol: 'EURUSD',
    side: 'long',
    openPrice: '1.1',
    currentPrice: '1.1',
    profit: '0',
    spread: '100',
    openedAt: ago(60),
    ...row,
  }
  await desk.post(
    '/v1/positions/sync',
    { platform: 'terminal5', server: 'b', sequence, mode: 'delta', positions: [position] },
    bridge,
  )
}
/** Makes a client of an affiliate with a plan of these rules, two hours ago. */
async function bring(rule: object): Promise<string> {
  const client = await desk.client((await desk.affiliate(await desk.plan([rule]))).id)
  app.clock.advance(120 * MINUTE)
  return client
}
const runYesterday = async () => {
  desk.tomorrow()
  return desk.run(desk.day(-1), desk.day())
}

test('lots that were added later are paid too, and each partial close once', async () => {
  const client = await bring(lot('5'))
  for (const volume of ['0.1', '10', '4']) await report(client, { volume })
  await report(client, { volume: '4', closedAt: ago(1) })
  await runYesterday()
  expect(short(await desk.lines())).toEqual(['1 trade 50.00'])
  await desk.explainAll()
})

test('each leg of a ticket whose side turned is paid by its own lots and its own opening', async () => {
  const client = await bring(lot('5'))
  await report(client, { volume: '1' })
  await report(client, { volume: '5', side: 'short', openedAt: ago(30) })
  // this leg was open for two minutes only
  await report(client, { volume: '7', openedAt: ago(3) })
  await report(client, { volume: '7', openedAt: ago(3), closedAt: ago(1) })
  expect(await runYesterday()).toMatchObject({ skipped: { too_short: 1 } })
  expect(short(await desk.lines())).toEqual(['1 trade 25.00', '1 trade 5.00'])
  await desk.explainAll()
})

test('a corrected closing gives one contra line and one new line, in whichever run comes first', async () => {
  const client = await bring(lot('5'))
  const closed = { volume: '2', closedAt: ago(1), openedAt: ago(60) }
  await report(client, closed)
  await runYesterday()
  await report(client, { ...closed, volume: '3', corrects: true })
  expect(await runYesterday()).toMatchObject({ lines: 2, corrections: 1 })
  expect(short(await desk.lines())).toEqual(['1 correction -10.00', '1 trade 10.00', '1 trade 15.00'])
  await desk.explainAll()
  expect(await desk.run(desk.day(-2), desk.day())).toMatchObject({ lines: 0 })
})

test('a closing that no longer holds is taken back, and paid once the ticket closes again', async () => {
  const client = await bring(lot('5'))
  const opened = { volume: '2', openedAt: ago(60) }
  await report(client, { ...opened, closedAt: ago(1) })
  await runYesterday()
  await report(client, { ...opened, corrects: true })
  expect(await runYesterday()).toMatchObject({ corrections: 1, skipped: { void: 1 } })
  await report(client, { ...opened, closedAt: ago(1) })
  await runYesterday()
  expect(short(await desk.lines())).toEqual(['1 correction -10.00', '1 trade 10.00', '1 trade 10.00'])
  await desk.explainAll()
})

const CPA = { model: 'cpa', symbols: ['*'], rate: '100', minDeposit: '10', minLots: '2' }

test.each([
  ['is acquired by the lots that closed, whatever was first seen of them', '1', '2', ['1 deposit 100.00']],
  // two of the three lots live on under another ticket
  ['is not acquired by lots that were opened and not closed', '3', '1', []],
])('a client %s', async (_, opened, closed, lines) => {
  const client = await bring(CPA)
  await desk.deposit(client, '50')
  app.clock.advance(10 * MINUTE)
  await report(client, { volume: opened, openedAt: ago(5) })
  await report(client, { volume: closed, openedAt: ago(5), closedAt: ago(1) })
  await runYesterday()
  expect(short(await desk.lines())).toEqual(lines)
})
