import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let broker: { id: string; trader: string }
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

const asked = async (of: { trader: string }) =>
  app.call('POST', '/v1/affiliates/payouts', {
    as: await firm.traderSession(of.trader),
    body: { currency: 'EUR', amount: '150' },
  })
/** Returns what the admin gets who approves the broker's payout after a run over today. */
const decided = async () => {
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  const { body } = await asked(broker)
  const { status, body: told } = await app.call('POST', `/v1/affiliates/payouts/${body.id}/approve`, {
    as: firm.as.admin,
  })
  return status === 200 ? 'approved' : told.code
}
/** Lets so much time pass that earlier acts no longer count. */
const settle = () => app.clock.advance(100 * HOUR)
const large = { volume: '40', spread: '1000' }
const readAccountId = async (traderId: string): Promise<string> =>
  (await app.call('GET', `/v1/accounts?traderId=${traderId}`, { as: firm.as.viewer })).body.data[0].id

describe('an admin may not approve the payout of a broker', () => {
  beforeEach(async () => {
    broker = await desk.affiliate(await desk.plan([lot('10')]))
  })

  test('an admin who placed a branch below a broker may not approve the broker’s payout, even after moving it back', async () => {
    const branch = await desk.affiliate(await desk.plan([lot('1')]))
    const client = await desk.client(branch.id)
    settle()
    await desk.patch(`/v1/affiliates/${branch.id}`, { parentId: broker.id }, firm.as.admin)
    app.clock.advance(HOUR)
    await desk.trade(client, large)
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${branch.id}`, { parentId: null }, firm.as.admin)
    expect(await decided()).toBe('payouts.own_plan')
  })

  test('an admin who lowered an affiliate’s terms may not approve the payout of the broker who was above it then', async () => {
    const child = await desk.affiliate(await desk.plan([lot('10')]), broker.id)
    const client = await desk.client(child.id)
    settle()
    await desk.patch(`/v1/affiliates/${child.id}`, { planId: await desk.plan([lot('0.01')]) }, firm.as.admin)
    await desk.trade(client, large)
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${child.id}`, { parentId: null }, firm.as.manager)
    expect(await decided()).toBe('payouts.own_plan')
  })

  test('an admin who merged another client into a broker’s client may not approve the broker’s payout', async () => {
    const [primaryId, secondaryId] = [await desk.client(broker.id), await desk.client(null)]
    settle()
    await desk.post('/v1/admin/traders/merge', { primaryId, secondaryId }, firm.as.admin)
    app.clock.advance(HOUR)
    await desk.trade(secondaryId, large)
    expect(await decided()).toBe('payouts.own_plan')
  })

  test('an admin who merged a client into the broker’s own may not approve the payout for 72 hours', async () => {
    const [primaryId, secondaryId] = [await desk.client(broker.id), await desk.client(null)]
    await desk.trade(primaryId, large)
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const { body } = await asked(broker)
    settle()
    await desk.post('/v1/admin/traders/merge', { primaryId, secondaryId }, firm.as.admin)
    const approve = () => app.call('POST', `/v1/affiliates/payouts/${body.id}/approve`, { as: firm.as.admin })
    app.clock.advance(72 * HOUR - 1)
    expect((await approve()).body.code).toBe('payouts.own_plan')
    app.clock.advance(1)
    expect((await approve()).body.status).toBe('approved')
  })

  test('an admin who gave an account to a broker’s client may not approve the broker’s payout', async () => {
    const [theirs, other] = [await desk.client(broker.id), await desk.client(null)]
    settle()
    await desk.trade(other, large)
    app.clock.advance(HOUR)
    await desk.patch(`/v1/accounts/${await readAccountId(other)}`, { traderId: theirs }, firm.as.admin)
    expect(await decided()).toBe('payouts.own_plan')
  })

  test('an admin who made a broker’s client from a lead may not approve the broker’s payout', async () => {
    const plan = await desk.plan([{ model: 'cpa', symbols: ['*'], rate: '300' }])
    await desk.patch(`/v1/affiliates/${broker.id}`, { planId: plan })
    settle()
    const { code: affiliateCode } = (await app.call('GET', `/v1/affiliates/${broker.id}`, { as: firm.as.owner })).body
    const lead = await desk.post('/v1/leads', { firstName: 'Ada', email: 'ada@lead.test', affiliateCode })
    await app.call('POST', `/v1/leads/${lead.id}/convert`, { as: firm.as.admin, body: {} })
    const { data } = (await app.call('GET', '/v1/traders?q=ada@lead.test', { as: firm.as.viewer })).body
    await desk.deposit(data[0].id, '100')
    expect(await decided()).toBe('payouts.own_plan')
  })

  test('an admin who wrote a broker’s better terms in advance may not approve the broker’s payout', async () => {
    const plan = await desk.plan([lot('1')])
    await desk.patch(`/v1/affiliates/${broker.id}`, { planId: plan })
    const client = await desk.client(broker.id)
    settle()
    const validFrom = new Date(app.clock.now() + 73 * HOUR).toISOString()
    await desk.patch(`/v1/commission-plans/${plan}`, { rules: [lot('10')], validFrom }, firm.as.admin)
    app.clock.advance(74 * HOUR)
    await desk.trade(client, large)
    expect(await decided()).toBe('payouts.own_plan')
  })

  describe('whose earnings use a rate that they set', () => {
    const rate = async (as: Caller, more: object = {}) => {
      const body = { rates: [{ base: 'ZAR', quote: 'EUR', rate: '0.05', ...more }] }
      return (await app.call('POST', '/v1/fx/rates/upsert', { as, body })).body.data[0].id
    }
    const earned = async () => {
      await desk.trade(await desk.client(broker.id), large)
      app.clock.advance(HOUR)
    }

    test('an admin who entered a rate for a past day may not approve a payout of earnings that use it', async () => {
      settle()
      await earned()
      await rate(firm.as.admin, { since: '2026-01-01' })
      expect(await decided()).toBe('payouts.own_plan')
    })

    test('an admin who removed a rate for a past day may not approve a payout, even if others entered it', async () => {
      const id = await rate(firm.as.owner, { since: '2026-01-01' })
      settle()
      await earned()
      await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })
      expect(await decided()).toBe('payouts.own_plan')
    })

    test('an admin who set a currency’s first rate may not approve a payout, even after removing it at once', async () => {
      settle()
      await earned()
      const id = await rate(firm.as.admin)
      app.clock.advance(HOUR)
      await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })
      expect(await decided()).toBe('payouts.own_plan')
    })

    test('an admin who only repeated a rate that others set approves a payout', async () => {
      await rate(firm.as.owner)
      settle()
      await earned()
      await rate(firm.as.admin, { rate: '0.0501' })
      expect(await decided()).toBe('approved')
    })
  })

  test('an admin approves a payout if others did all that it depends on', async () => {
    const client = await desk.client(broker.id)
    settle()
    await desk.trade(client, large)
    expect(await decided()).toBe('approved')
  })
})

test('a debt stays with the client whose affiliate was closed', async () => {
  const plan = await desk.plan([lot('5')])
  const closed = await desk.affiliate(plan)
  await systemCtx(app.platform, firm.tenantId, 'test').write('test.debt', (tx) =>
    tx.insert(affiliateBalances, { affiliateId: closed.id, currency: 'EUR', earned: 0n, paid: 100_000n }),
  )
  for (const status of ['suspended', 'closed']) await desk.patch(`/v1/affiliates/${closed.id}`, { status })
  const { id } = await desk.post('/v1/affiliates', { traderId: closed.trader, code: 'anew' })
  await desk.patch(`/v1/affiliates/${id}`, { status: 'active', planId: plan })
  await desk.trade(await desk.client(id), large)
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  const { status, body } = await asked(closed)
  expect([status, body.code]).toEqual([409, 'payouts.owes'])
})
