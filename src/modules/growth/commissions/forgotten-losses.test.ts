import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let broker: { id: string; trader: string }
let client: string
const revenue = [{ model: 'revenue', symbols: ['*'], rate: '0.5' }]
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  broker = await desk.affiliate(await desk.plan(revenue))
  client = await desk.client(broker.id)
})
afterEach(() => desk.close())

/** Sets the clock to an hour (by default noon) of a day of 2026; February is 2. */
const at = (month: number, day: number, hour = 12) => app.clock.set(Date.UTC(2026, month - 1, day, hour))
const loss = (amount: string) => ({ spread: '0', swap: amount })
const zone = (timeZone: string) => desk.patch('/v1/tenants/current', { timeZone }, firm.as.admin)
const paid = async () => (await desk.lines()).reduce((sum, { amount }) => sum + Number(amount), 0)

describe('another time zone of the firm', () => {
  test('a loss of a month computed in the former time zone is not lost by changing the zone', async () => {
    await zone('Europe/Istanbul')
    at(2, 28, 22)
    await desk.trade(client, loss('1000'))
    at(3, 1)
    await desk.run('2026-02-01', '2026-03-01')
    await zone('UTC')
    at(3, 10)
    await desk.trade(client, { spread: '1000' })
    at(4, 2)
    await desk.run('2026-03-01', '2026-04-01')
    expect(await paid()).toBe(0)
    await desk.explainAll()
  })

  test('a loss that is reported late is not lost by changing the time zone', async () => {
    await zone('Europe/Istanbul')
    at(2, 10)
    await desk.trade(client, { spread: '10' })
    at(3, 2)
    await desk.run('2026-02-01', '2026-03-01')
    await zone('Europe/London')
    await desk.trade(client, { ...loss('1000'), closedAt: '2026-02-12T12:00:00Z' })
    at(3, 10)
    await desk.trade(client, { spread: '1000' })
    at(4, 2)
    await desk.run('2026-03-01', '2026-04-01')
    expect(await paid()).toBe(5)
    await desk.explainAll()
  })

  test('a trade is not paid in two months after a change of time zone, whichever month is run first', async () => {
    await zone('Asia/Tokyo')
    at(1, 31, 20)
    await desk.trade(client, { spread: '1000' })
    at(3, 2)
    await desk.run('2026-02-01', '2026-03-01')
    await zone('UTC')
    await desk.run('2026-01-01', '2026-02-01')
    await desk.run('2026-01-01', '2026-03-01')
    expect(await paid()).toBe(500)
    await desk.explainAll()
  })
})

test.each([true, false])('a loss is not lost by a plan that begins later, its month run (%p) or not', async (isRun) => {
  at(2, 10)
  await desk.trade(client, loss('1000'))
  const later = await desk.plan(revenue, { validFrom: '2026-04-05T00:00:00Z' })
  at(3, 20)
  await desk.patch(`/v1/affiliates/${broker.id}`, { planId: later }, firm.as.manager)
  at(4, 2)
  if (isRun) await desk.run('2026-02-01', '2026-04-01')
  at(4, 10)
  await desk.trade(client, { spread: '1000' })
  at(5, 2)
  await desk.run('2026-04-01', '2026-05-01')
  expect(await paid()).toBe(0)
  await desk.explainAll()
})

test('a loss is not lost if the client looks like the broker for a minute, booked or not', async () => {
  const winner = await desk.client(broker.id)
  const phone = '+35799123456'
  await desk.patch(`/v1/traders/${broker.trader}`, { phone }, firm.as.operator)
  const disguised = async (run: () => Promise<unknown>) => {
    await desk.patch(`/v1/traders/${client}`, { phone }, firm.as.admin)
    await run()
    await desk.patch(`/v1/traders/${client}`, { phone: '+35799000000' }, firm.as.admin)
  }
  at(2, 10)
  await desk.trade(client, loss('1000'))
  at(3, 2)
  await disguised(() => desk.run('2026-02-01', '2026-03-01'))
  at(3, 10)
  await desk.trade(winner, { spread: '1000' })
  at(4, 2)
  await disguised(() => desk.run('2026-02-01', '2026-04-01'))
  expect(await paid()).toBe(0)
  await desk.explainAll()
})

test('only a manager turns an account that was traded on into a demo account', async () => {
  const { data } = (await app.call('GET', `/v1/accounts?traderId=${client}`, { as: firm.as.viewer })).body
  const turn = async (isDemo: boolean, as = firm.as.operator) =>
    (await app.call('PATCH', `/v1/accounts/${data[0].id}`, { as, body: { isDemo } })).status
  expect([await turn(true), await turn(false)]).toEqual([200, 200])
  await desk.trade(client, loss('1000'))
  expect([await turn(true), await turn(true, firm.as.manager)]).toEqual([403, 200])
})

test('months after a month that lacks a rate wait too, and the run names that rate', async () => {
  const rand = await desk.client(broker.id, { currency: 'ZAR' })
  at(1, 20)
  await desk.trade(rand, { spread: '0.01' })
  for (const month of [2, 3, 4, 5]) {
    at(month, 10)
    await desk.trade(client, { spread: '10' })
  }
  at(6, 2)
  const run = await desk.run('2026-01-01', '2026-06-01')
  expect(run).toMatchObject({ lines: 0, skipped: { no_rate: 5 } })
  expect(run.missingRates).toHaveLength(1)
})
