import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'
import { readTrialBalance } from '../../books/wallets/ledger.queries.ts'
import { affiliates } from '../affiliates/affiliates.table.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let broker: { id: string; trader: string }
let session: Caller
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  // the owner writes the plan, the operator makes the affiliate, the manager gives it the plan
  broker = await desk.affiliate(await desk.plan([lot('5')]))
  const client = await desk.client(broker.id)
  await desk.trade(client, { volume: '40', spread: '1000' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  session = await firm.traderSession(broker.trader)
  firm.effects()
})
afterEach(() => desk.close())

const ask = (amount: string, as: Caller = session, extra: object = {}) =>
  app.call('POST', '/v1/affiliates/payouts', { as, body: { currency: 'EUR', amount, ...extra } })
const decide = (id: string, what: string, as: Caller, body: object = {}) =>
  app.call('POST', `/v1/affiliates/payouts/${id}/${what}`, { as, ...(what === 'reject' && { body }) })
const balance = async () =>
  (await app.call('GET', `/v1/affiliates/${broker.id}`, { as: session })).body.stats.balances[0]
const wallets = async () =>
  (await app.call('GET', `/v1/wallets?traderId=${broker.trader}`, { as: firm.as.viewer })).body.data

describe('a payout', () => {
  test('a payout is requested by the broker, approved by an admin, and posted to the wallet once', async () => {
    const { status, body } = await ask('150')
    const asked = { affiliateId: broker.id, status: 'requested', requestedBy: null, decidedAt: null }
    expect([status, body]).toMatchObject([201, asked])
    expect(firm.effects()).toEqual({ events: [], actions: ['affiliate_payout.request'] })
    expect(await balance()).toMatchObject({ earned: '200.00', asked: '150.00', paid: '0.00', available: '50.00' })
    const approved = await decide(body.id, 'approve', firm.as.admin)
    const decidedAt = new Date(app.clock.now()).toISOString()
    expect([approved.status, approved.body]).toMatchObject([200, { status: 'approved', decidedAt }])
    expect(firm.effects()).toEqual({ events: [], actions: ['affiliate_payout.approve'] })
    expect(await balance()).toMatchObject({ asked: '0.00', paid: '150.00', available: '50.00' })
    expect(await wallets()).toMatchObject([{ currency: 'EUR', available: '150.00' }])
    const { balanced } = readTrialBalance(systemCtx(app.platform, firm.tenantId, 'test').db)
    expect(balanced).toBe(true)
    expect((await decide(body.id, 'approve', firm.as.admin)).body.code).toBe('wrong_state')
    expect((await decide(body.id, 'reject', firm.as.admin, { reason: 'late' })).body.code).toBe('wrong_state')
  })

  test('a payout is at most what is earned, at least the firm’s minimum, and one at a time', async () => {
    expect((await ask('200.01')).body).toMatchObject({ code: 'payouts.not_earned', errors: [{ path: 'amount' }] })
    expect((await ask('49.99')).status).toBe(422)
    expect((await ask('60', session, { affiliateId: 'aff_other' })).status).toBe(404)
    for (const amount of ['50', '200']) {
      const asked = await ask(amount, session, { affiliateId: broker.id })
      expect(asked.status).toBe(201)
      await decide(asked.body.id, 'reject', firm.as.admin, { reason: 'again' })
    }
    expect((await ask('10', session, { currency: 'GBP' })).body.errors[0]).toMatchObject({ path: 'currency' })
    await desk.patch('/v1/tenants/current', { currency: 'USD' })
    expect((await ask('60')).body.errors[0]).toMatchObject({ path: 'currency', code: 'fx_rate_missing' })
    await desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'USD', rate: '1.10' }] })
    // these are 49.994 and 50.006 dollars
    expect((await ask('45.44')).body.code).toBe('payouts.below_minimum')
    expect((await ask('45.46')).status).toBe(201)
    expect((await ask('60')).body.code).toBe('payouts.open_request')
  })

  test('a payout of the whole balance stores when it was paid in full, and one of less does not', async () => {
    const paidUpAt = () =>
      systemCtx(app.platform, firm.tenantId, 'test').db.find(affiliateBalances, { affiliateId: broker.id })?.paidUpAt
    const pay = async (amount: string) => decide((await ask(amount)).body.id, 'approve', firm.as.admin)
    expect([(await pay('149.99')).status, paidUpAt()]).toEqual([200, 0])
    expect([(await pay('50.01')).status, paidUpAt()]).toEqual([200, app.clock.now()])
  })

  test('a payout is refused in a currency without earnings', async () => {
    await desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'GBP', quote: 'EUR', rate: '1.20' }] })
    const { body } = await ask('60', session, { currency: 'GBP' })
    expect([body.code, body.errors[0].message]).toEqual(['payouts.not_earned', expect.stringContaining('0.00 GBP')])
  })

  test('payouts are found by code or name of the affiliate, by staff only', async () => {
    const { body } = await ask('60')
    const { code, name } = (await app.call('GET', `/v1/affiliates/${broker.id}`, { as: firm.as.viewer })).body
    const found = async (q: string) => {
      const path = `/v1/affiliates/payouts?q=${encodeURIComponent(q)}`
      return (await app.call('GET', path, { as: firm.as.viewer })).body.data.map(({ id }: { id: string }) => id)
    }
    expect([await found(code), await found(name), await found('nobody')]).toEqual([[body.id], [body.id], []])
    const blind = await firm.key(['affiliates:read'])
    const countFound = async (q: string) =>
      (await app.call('GET', `/v1/affiliates/payouts?q=${encodeURIComponent(q)}`, { as: blind })).body.data.length
    expect([await countFound(code), await countFound(name)]).toEqual([1, 0])
    const own = await app.call('GET', `/v1/affiliates/payouts?q=${code}`, { as: session })
    expect([own.status, own.body.errors[0].path]).toEqual([422, 'query.q'])
  })

  test('a rejected payout frees its amount and shows the reason', async () => {
    const { body } = await ask('200')
    const rejected = await decide(body.id, 'reject', firm.as.admin, { reason: 'The month is not over.' })
    expect(rejected.body).toMatchObject({ status: 'rejected', reason: 'The month is not over.' })
    expect(await balance()).toMatchObject({ asked: '0.00', paid: '0.00', available: '200.00' })
    const own = await app.call('GET', '/v1/affiliates/payouts', { as: session })
    expect(own.body.data).toMatchObject([{ reason: 'The month is not over.', decidedBy: null }])
  })

  test('a payout is approved by an admin who neither requested it, made the affiliate, nor recently set its terms', async () => {
    const refusal = async (as: Caller, asker: Caller = session): Promise<string> => {
      const { body } = await ask('60', asker, asker === session ? {} : { affiliateId: broker.id })
      const answer = await decide(body.id, 'approve', as)
      await decide(body.id, 'reject', firm.as.platform_admin, { reason: 'again' })
      return answer.status === 200 ? 'approved' : answer.body.code
    }
    expect(await refusal(firm.as.manager)).toBe('forbidden')
    expect(await refusal(firm.as.admin, firm.as.admin)).toBe('payouts.own_request')
    // the owner wrote the plan a day ago, which counts for as long as the plan applies
    expect(await refusal(firm.as.owner)).toBe('payouts.own_plan')
    app.clock.advance(9000 * HOUR)
    expect(await refusal(firm.as.owner)).toBe('payouts.own_plan')
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.entered', (tx) =>
      tx.update(affiliates, broker.id, { createdBy: firm.as.admin.id }),
    )
    expect(await refusal(firm.as.admin)).toBe('payouts.own_affiliate')
    await desk.patch(`/v1/affiliates/${broker.id}`, { planId: null }, firm.as.platform_admin)
    const { body } = await ask('60')
    expect((await decide(body.id, 'approve', firm.as.platform_admin)).body.code).toBe('payouts.own_plan')
    expect((await decide(body.id, 'approve', firm.as.owner)).body.code).toBe('payouts.own_plan')
  })

  test('an admin who set terms of lower affiliates, moved a client, undid that, or merged approves no payout', async () => {
    const decided = async (as: Caller): Promise<string> => {
      const { body } = await ask('60')
      const answer = await decide(body.id, 'approve', as)
      if (answer.status !== 200) await decide(body.id, 'reject', firm.as.owner, { reason: 'again' })
      return answer.status === 200 ? 'approved' : answer.body.code
    }
    const child = await desk.affiliate(null, broker.id)
    const plan = await desk.plan([lot('100')])
    const { admin, platform_admin: colleague, owner } = firm.as
    app.clock.advance(73 * HOUR)
    await desk.patch(`/v1/affiliates/${child.id}`, { planId: plan }, admin)
    expect(await decided(admin)).toBe('payouts.own_plan')
    await desk.patch(`/v1/affiliates/${child.id}`, { planId: null }, colleague)
    expect(await decided(admin)).toBe('payouts.own_plan')
    expect(await decided(owner)).toBe('payouts.own_plan')
    app.clock.advance(73 * HOUR)
    await desk.patch(`/v1/traders/${await desk.client(null)}`, { affiliateId: child.id }, admin)
    expect(await decided(admin)).toBe('payouts.own_plan')
    app.clock.advance(73 * HOUR)
    // suspending and activating again changes no terms
    await desk.patch(`/v1/affiliates/${child.id}`, { status: 'suspended' }, admin)
    expect(await decided(admin)).toBe('approved')
    const { body } = await ask('60')
    const primaryId = await firm.trader()
    const merged = { primaryId, secondaryId: broker.trader }
    expect((await app.call('POST', '/v1/admin/traders/merge', { as: admin, body: merged })).status).toBe(200)
    expect((await decide(body.id, 'approve', admin)).body.code).toBe('merges.lately')
  })

  test('a payout waits while paid commission was taken back, in any currency', async () => {
    const { body } = await ask('60')
    const owed = { affiliateId: broker.id, currency: 'USD', earned: 0n, paid: 100n }
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.owed', (tx) => tx.insert(affiliateBalances, owed))
    expect((await decide(body.id, 'approve', firm.as.admin)).body.code).toBe('payouts.owes')
    await decide(body.id, 'reject', firm.as.admin, { reason: 'owed' })
    expect((await ask('60')).body.code).toBe('payouts.owes')
  })

  test('an unpaid payout prevents the deletion of the client who earned it', async () => {
    const gone = await app.call('DELETE', `/v1/traders/${broker.trader}`, { as: firm.as.admin })
    expect([gone.status, gone.body.code]).toEqual([409, 'traders.open_money'])
    expect(gone.body.detail).toContain('commission of 200.00 EUR')
  })

  test('the approver of a payout counts as having brought the client money: their vote alone pays no withdrawal', async () => {
    const { body } = await ask('150')
    await decide(body.id, 'approve', firm.as.admin)
    const trail = await app.call('GET', `/v1/audit?traderId=${broker.trader}&limit=50`, { as: firm.as.owner })
    expect(trail.body.data.map((row: { action: string }) => row.action)).toContain('affiliate_payout.approve')
    const acts = app.platform.reader.all<{ userId: string; act: string }>(
      'SELECT user_id AS userId, act FROM client_acts WHERE trader_id = ?',
      [broker.trader],
    )
    expect(acts).toEqual([{ userId: firm.as.admin.id, act: 'credit' }])
    // a tenth of this threshold is 100.00
    await app.call('PUT', '/v1/approval-policies', {
      as: firm.as.owner,
      body: { currency: 'EUR', threshold: '1000', minKycLevel: 0 },
    })
    const wanted = { currency: 'EUR', amount: '150', destination: { kind: 'bank', reference: 'IBAN 1' } }
    const { id } = (await app.call('POST', '/v1/withdrawals', { as: session, body: wanted })).body
    const vote = (as: Caller) => app.call('POST', `/v1/withdrawals/${id}/approve`, { as, body: { note: 'looked' } })
    expect((await vote(firm.as.admin)).body.status).toBe('requested')
    expect((await vote(firm.as.manager)).body.status).toBe('approved')
  })

  test('a suspended broker requests no payout and is paid none', async () => {
    await desk.patch(`/v1/affiliates/${broker.id}`, { status: 'suspended' })
    expect((await ask('60')).status).toBe(403)
    expect((await ask('60', firm.as.manager, { affiliateId: broker.id })).body.code).toBe('payouts.not_active')
    await desk.patch(`/v1/affiliates/${broker.id}`, { status: 'active' })
    const { body } = await ask('60')
    await desk.patch(`/v1/affiliates/${broker.id}`, { status: 'suspended' })
    expect((await decide(body.id, 'approve', firm.as.admin)).body.code).toBe('payouts.not_active')
  })
})

test('a payout with 50 approvals at the same time is paid once', async () => {
  for (let round = 0; round < 4; round += 1) {
    const { body } = await ask('50')
    const answers = await Promise.all(Array.from({ length: 50 }, () => decide(body.id, 'approve', firm.as.admin)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
  expect(await balance()).toMatchObject({ paid: '200.00', available: '0.00' })
  expect(await wallets()).toMatchObject([{ available: '200.00' }])
  expect((await ask('50')).body.code).toBe('payouts.not_earned')
  const db = systemCtx(app.platform, firm.tenantId, 'test').db
  expect(db.list(affiliateBalances, {})).toMatchObject([{ earned: 20_000n, asked: 0n, paid: 20_000n }])
})
