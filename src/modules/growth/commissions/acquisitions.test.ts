import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

const cpa = (terms: object = {}) =>
  desk.plan([{ model: 'cpa', symbols: ['*'], rate: '300', minDeposit: '100', ...terms }])
const bring = (client: string, affiliateId: string | null) =>
  desk.patch(`/v1/traders/${client}`, { affiliateId }, firm.as.manager)
/** Runs the last days, and returns all lines. */
const paid = async () => {
  desk.tomorrow()
  await desk.run(desk.day(-3), desk.day())
  await desk.explainAll()
  return short(await desk.lines())
}

describe('an acquisition is not paid for a client', () => {
  test('no acquisition is paid for a client who had deposited before they had a broker', async () => {
    const broker = await desk.affiliate(await cpa())
    const [before, tooLittle] = [await desk.client(null), await desk.client(null)]
    await desk.deposit(before, '100')
    await desk.deposit(tooLittle, '99.99')
    app.clock.advance(HOUR)
    for (const client of [before, tooLittle]) {
      await bring(client, broker.id)
      await desk.deposit(client, '500')
    }
    expect(await paid()).toEqual(['1 deposit 300.00'])
    expect(await desk.lines()).toMatchObject([{ traderId: tooLittle }])
  })

  test('no acquisition is paid for a client who deposited as another broker’s, even if that one’s plan pays none', async () => {
    const broker = await desk.affiliate(await cpa())
    const other = await desk.affiliate(await desk.plan([lot('5')]))
    const client = await desk.client(other.id)
    await desk.deposit(client, '500')
    app.clock.advance(HOUR)
    await bring(client, broker.id)
    await desk.deposit(client, '500')
    expect(await paid()).toEqual([])
  })

  test('no acquisition is paid for a client who deposited before the broker’s plan had acquisitions', async () => {
    const broker = await desk.affiliate(await desk.plan([lot('5')]))
    const client = await desk.client(broker.id)
    await desk.deposit(client, '500')
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${broker.id}`, { planId: await cpa() }, firm.as.manager)
    await desk.deposit(client, '500')
    const fresh = await desk.client(broker.id)
    await desk.deposit(fresh, '500')
    expect(await paid()).toEqual(['1 deposit 300.00'])
    expect(await desk.lines()).toMatchObject([{ traderId: fresh }])
  })
})

test('one trade qualifies one client, even if its account is given to others', async () => {
  const broker = await desk.affiliate(await cpa({ minLots: '2' }))
  const clients = [await desk.client(broker.id), await desk.client(broker.id), await desk.client(broker.id)]
  const [first = '', ...others] = clients
  for (const client of clients) await desk.deposit(client, '500')
  app.clock.advance(HOUR)
  await desk.trade(first, { volume: '2' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  const { data } = (await app.call('GET', `/v1/accounts?traderId=${first}`, { as: firm.as.viewer })).body
  for (const traderId of others) {
    await desk.patch(`/v1/accounts/${data[0].id}`, { traderId }, firm.as.manager)
    desk.tomorrow()
    await desk.run(desk.day(-2), desk.day())
  }
  expect(short(await desk.lines())).toEqual(['1 deposit 300.00'])
  // trades by the account's last client count for that client
  await desk.trade(first, { volume: '2' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  expect((await desk.lines()).map(({ traderId }) => traderId)).toEqual([first, others[1] ?? ''])
})

test('a merge does not move an acquisition: it belongs to the broker of that time, or to none', async () => {
  const [broker, other] = [await desk.affiliate(await cpa()), await desk.affiliate(await cpa())]
  const [nobodys, others] = [await desk.client(null), await desk.client(other.id)]
  for (const client of [nobodys, others]) {
    await desk.deposit(client, '1000')
    app.clock.advance(HOUR)
    const shell = await desk.client(broker.id)
    await desk.post('/v1/admin/traders/merge', { primaryId: shell, secondaryId: client }, firm.as.admin)
  }
  expect(await paid()).toEqual(['1 deposit 300.00'])
  expect(await desk.lines()).toMatchObject([{ affiliateId: other.id }])
})

test('two clients who are merged are acquired once', async () => {
  const broker = await desk.affiliate(await cpa())
  const clients = [await desk.client(broker.id), await desk.client(broker.id)] as const
  for (const client of clients) await desk.deposit(client, '500')
  const [primaryId, secondaryId] = clients
  await desk.post('/v1/admin/traders/merge', { primaryId, secondaryId }, firm.as.admin)
  expect(await paid()).toEqual(['1 deposit 300.00'])
  expect(await paid()).toEqual(['1 deposit 300.00'])
})

test('an acquisition stays as it was, even if its client is merged into one who had deposited before', async () => {
  const broker = await desk.affiliate(await cpa())
  const old = await desk.client(null)
  await desk.deposit(old, '1000')
  app.clock.advance(HOUR)
  const client = await desk.client(broker.id)
  await desk.deposit(client, '500')
  expect(await paid()).toEqual(['1 deposit 300.00'])
  await desk.post('/v1/admin/traders/merge', { primaryId: old, secondaryId: client }, firm.as.admin)
  expect(await paid()).toEqual(['1 deposit 300.00'])
})

test('a negative spread is shared with no affiliate', async () => {
  const broker = await desk.affiliate(await desk.plan([{ model: 'spread', symbols: ['*'], rate: '1' }]))
  const client = await desk.client(broker.id)
  await desk.trade(client, { spread: '-10', commission: '-20' }, { spread: '0.01' }, { spread: '8' })
  expect(await paid()).toEqual(['1 trade 0.00', '1 trade 0.01', '1 trade 8.00'])
})

test('on an account that came by a merge, only trades after the merge count for the acquisition', async () => {
  const broker = await desk.affiliate(await cpa({ minLots: '2' }))
  const [client, twin] = [await desk.client(broker.id), await desk.client(null)]
  await desk.deposit(client, '500')
  app.clock.advance(HOUR)
  await desk.trade(twin, { volume: '2' })
  app.clock.advance(HOUR)
  await desk.post('/v1/admin/traders/merge', { primaryId: client, secondaryId: twin }, firm.as.admin)
  expect(await paid()).toEqual([])
  await desk.trade(twin, { volume: '2' })
  expect(await paid()).toEqual(['1 deposit 300.00'])
})
