import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

const merge = (primaryId: string, secondaryId: string, as: Caller = firm.as.admin) =>
  app.call('POST', '/v1/admin/traders/merge', { as, body: { primaryId, secondaryId } })

test('trades before a merge belong to the broker of that time, whether computed before or after the merge', async () => {
  const plan = await desk.plan([lot('5')])
  const [mine, theirs] = [await desk.affiliate(plan), await desk.affiliate(plan)]
  const [primary, secondary] = [await desk.client(mine.id), await desk.client(theirs.id)]
  const trade = (traderId: string) => desk.trade(traderId, { spread: '50' })
  await trade(secondary)
  app.clock.advance(DAY)
  await desk.run(desk.day(-1), desk.day())
  await trade(secondary)
  app.clock.advance(HOUR)
  expect((await merge(primary, secondary)).status).toBe(200)
  app.clock.advance(HOUR)
  // the moved account trades for the remaining client from now on
  const number = desk.findAccount(secondary)
  const closed = new Date(app.clock.now()).toISOString()
  const opened = new Date(app.clock.now() - HOUR / 2).toISOString()
  const after = { ticket: 'after', accountNumber: number, symbol: 'EURUSD', side: 'long', volume: '1', spread: '50' }
  const prices = { openPrice: '1', currentPrice: '1', profit: '0', openedAt: opened, closedAt: closed }
  await desk.report('delta', [{ ...after, ...prices }])
  app.clock.advance(DAY)
  expect(await desk.run(desk.day(-2), desk.day())).toMatchObject({ lines: 2, corrections: 0 })
  const lines = await desk.lines()
  const of = (id: string) => lines.filter(({ affiliateId }) => affiliateId === id).length
  expect([of(theirs.id), of(mine.id)]).toEqual([2, 1])
  expect(new Set(lines.map(({ traderId }) => traderId))).toEqual(new Set([primary]))
  await desk.explainAll()
})

test('an affiliate moves with its client, who is never their own broker; two affiliates are not merged', async () => {
  const [one, two] = [await desk.affiliate(null), await desk.affiliate(null)]
  expect((await merge(one.trader, two.trader)).body.code).toBe('merges.two_affiliates')
  const client = await desk.client(one.id)
  expect((await merge(client, one.trader)).status).toBe(200)
  const { body } = await app.call('GET', `/v1/traders/${client}`, { as: firm.as.owner })
  expect(body.affiliateId).toBeNull()
  const affiliate = await app.call('GET', `/v1/affiliates/${one.id}`, { as: firm.as.owner })
  expect(affiliate.body.traderId).toBe(client)
  const session = await firm.traderSession(client)
  expect((await app.call('GET', '/v1/affiliates', { as: session })).body.data).toMatchObject([{ id: one.id }])
})

test('an account given to another client earns nothing for the broker of the merged client', async () => {
  const broker = await desk.affiliate(await desk.plan([lot('5')]))
  const [primary, secondary, third] = [await firm.trader(), await desk.client(broker.id), await firm.trader()]
  expect((await merge(primary, secondary)).status).toBe(200)
  const { body } = await app.call('GET', `/v1/accounts?traderId=${primary}`, { as: firm.as.owner })
  const [account] = body.data
  await desk.patch(`/v1/accounts/${account.id}`, { traderId: third }, firm.as.manager)
  app.clock.advance(HOUR)
  await desk.trade(secondary, { spread: '50' })
  app.clock.advance(DAY)
  expect((await desk.run(desk.day(-2), desk.day())).lines).toBe(0)
})

test('a broker is recognised by the addresses of a merged duplicate, and cannot bring themselves', async () => {
  const broker = await desk.affiliate(await desk.plan([lot('5')]))
  const phone = '+4915112345678'
  const email = 'second@example.com'
  const duplicate = await firm.trader({ email })
  await desk.patch(`/v1/traders/${duplicate}`, { phone })
  expect((await merge(broker.trader, duplicate)).status).toBe(200)
  const { body } = await app.call('GET', `/v1/affiliates/${broker.id}`, { as: firm.as.owner })
  for (const known of [{ phone }, { email: 'second+1@example.com' }]) {
    const made = await app.call('POST', '/v1/traders', {
      as: firm.as.manager,
      body: { firstName: 'Ann', email: 'new@example.com', ...known, affiliateCode: body.code },
    })
    expect([made.status, made.body.code]).toEqual([422, 'affiliates.self_referral'])
  }
})
