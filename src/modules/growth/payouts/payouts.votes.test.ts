import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'
import { users } from '../../firm/users/users.table.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let broker: { id: string; trader: string }
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  // the owner writes the plan, the operator makes the affiliate, the manager gives it the plan
  broker = await desk.affiliate(await desk.plan([lot('5')]))
})
afterEach(() => desk.close())

/** Sets the broker's earnings, as closed lines would. */
const earn = (earned: bigint) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.earned', (tx) => {
    const known = tx.find(affiliateBalances, { affiliateId: broker.id, currency: 'EUR' })
    if (known) tx.update(affiliateBalances, known.id, { earned: known.earned + earned })
    else tx.insert(affiliateBalances, { affiliateId: broker.id, currency: 'EUR', earned })
    return null
  })
const ask = async (amount: string): Promise<string> => {
  const as = await firm.traderSession(broker.trader)
  return (await app.call('POST', '/v1/affiliates/payouts', { as, body: { currency: 'EUR', amount } })).body.id
}
const approve = (id: string, as: Caller, body?: object) =>
  app.call('POST', `/v1/affiliates/payouts/${id}/approve`, { as, ...(body && { body }) })
const available = async () =>
  (await app.call('GET', `/v1/wallets?traderId=${broker.trader}`, { as: firm.as.viewer })).body.data[0]?.available
const onlyThese = (...keep: Caller[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.remove', (tx) => {
    for (const { id } of tx.list(users, {}))
      if (!keep.some((one) => one.id === id)) tx.update(users, id, { status: 'disabled' })
    return null
  })

describe('the approval of a payout', () => {
  test('a payout takes two people from the threshold on', async () => {
    await earn(2_000_000n)
    const id = await ask('10000')
    firm.effects()
    const first = await approve(id, firm.as.admin)
    expect([first.status, first.body]).toMatchObject([200, { status: 'requested', votes: [{ by: firm.as.admin.id }] }])
    expect(firm.effects()).toEqual({ events: [], actions: ['affiliate_payout.approve_first'] })
    expect(await available()).toBeUndefined()
    expect((await approve(id, firm.as.admin)).body.code).toBe('payouts.already_decided')
    // an author of the terms is refused, however old the terms are
    expect((await approve(id, firm.as.owner)).body.code).toBe('payouts.own_plan')
    expect((await approve(id, firm.as.platform_admin)).body.status).toBe('approved')
    expect(await available()).toBe('10000.00')
    const own = await app.call('GET', '/v1/affiliates/payouts', { as: await firm.traderSession(broker.trader) })
    expect(own.body.data[0].votes).toEqual([])
  })

  test('a payout is added to what the affiliate got in 24 hours, and a first vote expires after 72 hours', async () => {
    await earn(2_000_000n)
    expect((await approve(await ask('9000'), firm.as.admin)).body.status).toBe('approved')
    const second = await ask('1000')
    expect((await approve(second, firm.as.admin)).body.status).toBe('requested')
    app.clock.advance(72 * HOUR)
    expect((await approve(second, firm.as.admin)).body.status).toBe('approved')
  })

  test('an earlier payout is added until 24 hours after its approval', async () => {
    await earn(3_000_000n)
    await approve(await ask('9000'), firm.as.admin)
    app.clock.advance(24 * HOUR - 1)
    const id = await ask('1000')
    expect((await approve(id, firm.as.platform_admin)).body.status).toBe('requested')
    app.clock.advance(1)
    expect((await approve(id, firm.as.admin)).body.status).toBe('approved')
  })

  test('a first vote on a payout counts for less than 72 hours', async () => {
    await earn(3_000_000n)
    const approveAfter = async (ms: number): Promise<string> => {
      const id = await ask('10000')
      await approve(id, firm.as.admin)
      app.clock.advance(ms)
      return (await approve(id, firm.as.platform_admin)).body.status
    }
    expect(await approveAfter(72 * HOUR - 1)).toBe('approved')
    app.clock.advance(DAY)
    expect(await approveAfter(72 * HOUR)).toBe('requested')
  })

  test('two people who both lifted a block may approve a payout together', async () => {
    await earn(100_000n)
    const id = await ask('60')
    for (const [sets, lifts] of [
      [firm.as.manager, firm.as.admin],
      [firm.as.manager, firm.as.platform_admin],
    ] as const) {
      await desk.patch(`/v1/traders/${broker.trader}`, { legalHold: true }, sets)
      await desk.patch(`/v1/traders/${broker.trader}`, { legalHold: false }, lifts)
    }
    expect((await approve(id, firm.as.admin)).body.status).toBe('requested')
    expect((await approve(id, firm.as.platform_admin)).body.status).toBe('approved')
  })

  test('a person who gave the affiliate a client approves no payout; one who lifted a block needs a second person', async () => {
    await earn(100_000n)
    const body = { email: 'brought@acme.test', affiliateCode: 'code-2' }
    expect((await app.call('POST', '/v1/traders', { as: firm.as.admin, body })).status).toBe(201)
    app.clock.advance(100 * DAY)
    const id = await ask('60')
    expect((await approve(id, firm.as.admin)).body.code).toBe('payouts.own_clients')
    await desk.patch(`/v1/traders/${broker.trader}`, { legalHold: true }, firm.as.manager)
    await desk.patch(`/v1/traders/${broker.trader}`, { legalHold: false }, firm.as.platform_admin)
    expect((await approve(id, firm.as.platform_admin)).body.status).toBe('requested')
  })

  test('an involved person may give the second vote on a payout in a small firm, with a note', async () => {
    const { owner, admin } = firm.as
    await earn(2_000_000n)
    const id = await ask('10000')
    await onlyThese(owner, admin)
    expect((await approve(id, owner)).body.code).toBe('payouts.own_plan')
    expect((await approve(id, admin)).body.status).toBe('requested')
    const noted = await approve(id, owner)
    expect([noted.status, noted.body.code]).toEqual([422, 'note_required'])
    expect((await approve(id, owner, { note: 'my own plan' })).body).toMatchObject({
      status: 'approved',
      votes: [{ by: admin.id }, { by: owner.id, note: 'my own plan' }],
    })
    const mails = app.platform.reader.all("SELECT 1 FROM mails WHERE subject LIKE '%second vote on a payout%'")
    expect(mails.length).toBeGreaterThan(0)
    // after this payment, and with newer terms by another person, the author of the old terms no longer counts
    const [plan] = (await app.call('GET', '/v1/commission-plans', { as: owner })).body.data
    await desk.patch(`/v1/commission-plans/${plan.id}`, { cap: '0.9' }, admin)
    app.clock.advance(73 * HOUR)
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.paid', (tx) => {
      const row = tx.find(affiliateBalances, { affiliateId: broker.id, currency: 'EUR' })
      if (row) tx.update(affiliateBalances, row.id, { paidUpAt: tx.now })
      return null
    })
    const next = await ask('60')
    expect((await approve(next, admin)).body.code).toBe('payouts.own_plan')
    expect((await approve(next, owner)).body.status).toBe('approved')
  })

  test('in a small firm an involved person may not give the second vote if the first was by one too', async () => {
    const { owner, admin } = firm.as
    await earn(2_000_000n)
    const id = await ask('10000')
    await onlyThese(owner, admin)
    expect((await approve(id, admin)).body.status).toBe('requested')
    await desk.post('/v1/traders', { email: 'brought@acme.test', affiliateCode: 'code-2' }, admin)
    expect((await approve(id, owner, { note: 'my own plan' })).body.code).toBe('payouts.own_plan')
  })
})

describe('one acquisition', () => {
  const cpa = (rate: string) => ({ model: 'cpa', symbols: ['*'], rate, minDeposit: '1.00' })
  const acquired = async (terms: object = {}) => {
    const parent = await desk.affiliate(await desk.plan([cpa('900000')]))
    const own = await desk.affiliate(await desk.plan([cpa('500000')], terms), parent.id)
    const client = await desk.client(own.id)
    const deposit = { traderId: client, currency: 'EUR', amount: '10', method: 'bank' }
    const { id } = await desk.post('/v1/deposits', deposit, firm.as.operator)
    await desk.post(`/v1/deposits/${id}/settle`, undefined, firm.as.manager)
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    return short(await desk.lines())
  }

  test('one acquisition earns the whole chain at most the firm’s limit', async () => {
    expect(await acquired()).toEqual(['1 deposit 1000.00', '2 override 0.00'])
  }, 20_000)

  test('one acquisition earns at most the plan’s cap of the firm’s limit, which the owner sets', async () => {
    const set = (as: Caller) => app.call('PATCH', '/v1/tenants/current', { as, body: { maxAcquisition: '300.00' } })
    expect((await set(firm.as.admin)).status).toBe(403)
    expect((await set(firm.as.owner)).body.maxAcquisition).toBe('300.00')
    expect(await acquired({ cap: '0.5' })).toEqual(['1 deposit 150.00', '2 override 0.00'])
  }, 20_000)
})
