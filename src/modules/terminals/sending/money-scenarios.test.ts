import { afterEach, beforeEach, expect, test } from 'bun:test'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { linkClient } from '../../../testing/terminal-client.ts'
import { makeLogin, NEAR, startTradingServer, type TradingServer } from '../../../testing/trading-server.ts'
import { ACTS } from '../simulator/simulator.acts.ts'
import type { Effect } from '../simulator/simulator.faults.ts'

let app: TestApp
let firm: Firm
let terminal: TradingServer
let login: number
let client: Awaited<ReturnType<typeof linkClient>>

beforeEach(async () => {
  app = createTestApp({ config: NEAR })
  firm = await app.firm('alpha')
  terminal = await startTradingServer(app, firm)
  await terminal.read()
  login = makeLogin(terminal.simulator.engine).login
  await terminal.read(MINUTE)
  client = await linkClient(app, firm, login)
  await terminal.switchOn()
  await terminal.read(MINUTE)
})
afterEach(async () => {
  await terminal.stop()
  await app.close()
})

const list = async (path: string) => (await app.call('GET', path, { as: firm.as.admin })).body.data
const send = async (amount = '10') => {
  const body = { fromWalletId: client.walletId, toAccountId: client.accountId, amount }
  return (await app.call('POST', '/v1/transfers', { as: firm.as.operator, body })).body
}
const readTransfer = async (id: string) => (await list(`/v1/transfers?q=${id}`))[0]
const befall = (effect: Effect) => terminal.simulator.faults.add({ path: '/api/trade/balance', effect })
const listBooked = (reference: string) =>
  [...terminal.simulator.engine.state.deals.values()].filter(({ comment }) => comment.startsWith(reference))
/** Lets the looks of the next minutes pass. */
const look = async (...pauses: number[]) => {
  for (const pause of pauses) await terminal.instruct(pause + SECOND)
}

test.each<[string, Effect]>([
  ['a session that is refused after it was done', { do: 'status', status: 403, executed: true }],
  ['a page of a proxy', { do: 'status', status: 502, executed: true, html: true }],
  ['an answer that is half', { do: 'truncate' }],
  ['an empty answer', { do: 'empty', executed: true }],
])('money to %s is booked once, and found', async (_what, effect) => {
  befall(effect)
  const { id, reference } = await send()
  await look(0, 5 * SECOND)
  const { state, platformReference } = await readTransfer(id)
  expect([state, listBooked(reference).map((deal) => String(deal.id))]).toEqual(['booked', [platformReference]])
})

test('money whose deal is shown only after 90 seconds is looked for again, and booked once', async () => {
  terminal.simulator.conditions.commitDelayMs = 90 * SECOND
  befall({ do: 'cut', when: 'after' })
  const { id, reference } = await send()
  await look(0, 5 * SECOND, 30 * SECOND)
  expect((await readTransfer(id)).state).toBe('sent')
  await look(MINUTE)
  expect([(await readTransfer(id)).state, listBooked(reference).length]).toEqual(['booked', 1])
})

test('money is found although a plug-in wrote into its comment', async () => {
  terminal.simulator.conditions.commentSuffix = ' [gw]'
  befall({ do: 'cut', when: 'after' })
  const { id } = await send()
  await look(0, 5 * SECOND)
  expect((await readTransfer(id)).state).toBe('booked')
  await terminal.read(MINUTE)
  expect(await terminal.findings()).toEqual([])
})

test('the same amount by hand at the same time is not taken for ours', async () => {
  befall({ do: 'cut', when: 'before' })
  const { id } = await send()
  await terminal.instruct(SECOND)
  ACTS.manualDeposit(terminal.simulator.engine, { login, amount: '10', comment: 'bonus week' })
  await look(5 * SECOND, 30 * SECOND, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 20 * MINUTE)
  await terminal.read(MINUTE)
  expect((await readTransfer(id)).state).toBe('sent')
  const kinds = (await list('/v1/platforms/findings?state=open')).map(({ kind }: { kind: string }) => kind)
  expect(kinds.toSorted()).toEqual(['movement_unknown', 'transfer_unresolved'])
})

test('two transfers to one login at once are sent one after another, and both booked', async () => {
  const [one, other] = [await send('10'), await send('20')]
  // the first is not known to be done yet, so the second waits no longer than that
  befall({ do: 'cut', when: 'after' })
  await look(0, 5 * SECOND, 5 * SECOND)
  const found = await Promise.all([one.id, other.id].map(readTransfer))
  expect(found.map(({ state }) => state)).toEqual(['booked', 'booked'])
  expect([one, other].map(({ reference }) => listBooked(reference).map(({ profit }) => profit))).toEqual([
    [10_00],
    [20_00],
  ])
})

test('more money than is looked at in one round, which waits while money is off, delays nothing else', async () => {
  for (let n = 0; n < 201; n += 1) await send('1')
  const as = firm.as.admin
  await app.call('PATCH', `/v1/platforms/connections/${terminal.id}`, { as, body: { money: false } })
  const path = `/v1/accounts/${client.accountId}/changes`
  expect((await app.call('POST', path, { as, body: { leverage: 50 } })).status).toBe(202)
  await terminal.instruct(SECOND)
  const states = (await list('/v1/platforms/instructions?kind=leverage')).map(({ state }: { state: string }) => state)
  expect(states).toEqual(['done'])
})
