import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { lapseApprovals } from './withdrawals.jobs.ts'

let app: TestApp
let firm: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))

test('a later rate does not make a large amount small, and an author of a rate does not approve by it', async () => {
  const setRate = (as: Caller, rate: string) =>
    app.call('POST', '/v1/fx/rates/upsert', { as, body: { rates: [{ base: 'CHF', quote: 'EUR', rate }] } })
  const traderId = await client()
  const deposit = { traderId, currency: 'CHF', amount: '60000', method: 'bank' }
  const paidIn = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body: deposit })
  await app.call('POST', `/v1/deposits/${paidIn.body.id}/settle`, { as: firm.as.manager })
  await setRate(firm.as.owner, '1')
  const large = (await ask(traderId, '20000', firm.as.operator, { currency: 'CHF' })).body.id
  const session = await firm.traderSession(traderId)
  const theirs = (await ask(traderId, '20000', session, { currency: 'CHF', traderId: undefined })).body.id
  await setRate(firm.as.admin, '0.01')
  await setRate(firm.as.owner, '0.01')
  const { review } = (await app.call('GET', `/v1/withdrawals/${large}`, { as: firm.as.admin })).body
  const asViewer = await app.call('GET', `/v1/withdrawals/${theirs}`, { as: firm.as.viewer })
  expect(asViewer.body.review.approvalsNeeded).toBe(2)
  expect(review).toMatchObject({ approvalsNeeded: 2, reason: expect.not.stringContaining('at a rate that you set') })
  expect((await act(large, 'approve', firm.as.admin)).body.status).toBe('requested')
  expect((await act(large, 'approve', firm.as.manager)).body.status).toBe('approved')
  const small = (await ask(traderId, '20000', firm.as.operator, { currency: 'CHF' })).body.id
  const seen = await app.call('GET', `/v1/withdrawals/${small}`, { as: firm.as.admin })
  expect(seen.body.review).toMatchObject({
    approvalsNeeded: 1,
    viewer: { needsSecond: expect.stringContaining('at a rate that you set') },
  })
  expect((await act(small, 'approve', firm.as.admin)).body.status).toBe('requested')
  expect((await act(small, 'approve', firm.as.manager)).body.status).toBe('approved')
  firm.effects()
})

test('a colleague who could sign in as the client does not approve the client’s request', async () => {
  const traderId = await client()
  const { admin, manager, operator, platform_admin, owner } = firm.as
  const asked = async () =>
    (await ask(traderId, '9', await firm.traderSession(traderId), { traderId: undefined })).body.id
  const why = async (as: Caller) => (await act(await asked(), 'approve', as)).body.code
  await app.call('PATCH', `/v1/traders/${traderId}`, { as: manager, body: { tags: ['vip'] } })
  expect(await why(manager)).toBeUndefined()
  await app.call('PATCH', `/v1/traders/${traderId}`, { as: manager, body: { email: 'me@evil.test' } })
  expect(await why(manager)).toBe('own_client')
  // a colleague who only mails the link, to an address that another one entered, could not sign in with it
  await app.call('POST', `/v1/traders/${traderId}/invite`, { as: operator })
  const letters = await app.call('GET', '/v1/mails?recipient=me@evil.test', { as: admin })
  const letter = letters.body.data.find(({ subject }: { subject: string }) => subject.startsWith('Your access'))
  await app.call('GET', `/v1/mails/${letter.id}`, { as: admin })
  expect(await why(admin)).toBe('own_client')
  // another colleague with the client's address does not hide that
  const twin = { email: 'me@evil.test', displayName: 'Twin', roles: ['viewer'] }
  await app.call('POST', '/v1/users/invite', { as: platform_admin, body: twin })
  await app.call('GET', `/v1/mails/${letter.id}`, { as: platform_admin })
  expect(await why(platform_admin)).toBe('own_client')
  expect(await why(owner)).toBeUndefined()
  // the involvement ends after 30 days
  app.clock.advance(30 * DAY)
  expect(await why(manager)).toBeUndefined()
  firm.effects()
})

test('a rate of the pool has an author too; an amount that cannot be compared counts as large', async () => {
  const { platform_admin: boss, owner } = firm.as
  const set = (rate: string) =>
    app.call('POST', '/v1/admin/fx-rates', { as: boss, body: { base: 'BTC', quote: 'EUR', rate } })
  await set('0.001')
  const traderId = await client()
  const fund = async (currency: string, amount: string) => {
    const body = { traderId, currency, amount, method: 'bank' }
    const deposit = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })
    await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.manager })
  }
  await fund('BTC', '1000')
  const small = (await ask(traderId, '1000', firm.as.operator, { currency: 'BTC' })).body.id
  expect((await act(small, 'approve', boss)).body.status).toBe('requested')
  expect((await act(small, 'approve', owner)).body.status).toBe('approved')
  await app.call('POST', '/v1/fx/rates/upsert', {
    as: owner,
    body: { rates: [{ base: 'GBP', quote: 'EUR', rate: '1.17' }] },
  })
  const most = '90071992547409.91'
  const convert = await app.call('GET', `/v1/fx/convert?amount=${most}&base=GBP&quote=EUR`, { as: firm.as.viewer })
  expect([convert.status, convert.body.errors[0]]).toMatchObject([422, { path: 'amount', code: 'amount_range' }])
  const policy = await app.call('GET', `/v1/approval-policies?amount=${most}&currency=GBP`, { as: firm.as.manager })
  expect(policy.body.simulation.approvals).toBe(2)
  await fund('GBP', '90000000000000')
  expect((await ask(traderId, '90000000000000', firm.as.operator, { currency: 'GBP' })).status).toBe(201)
  firm.effects()
})

test('banks with different non-Latin names are different destinations', async () => {
  const traderId = await client()
  const to = async (reference: string) => {
    const { id } = (await ask(traderId, '5', firm.as.operator, { destination: { kind: 'bank', reference } })).body
    return (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.viewer })).body.destination.id
  }
  expect(await to('工商银行 6222')).not.toBe(await to('建设银行 6222'))
  expect(await to('cy17-0020 0128')).toBe(await to('CY17 0020 0128'))
  firm.effects()
})

test('the same account with another holder is another destination, which its author does not approve', async () => {
  const traderId = await client()
  const to = (holder: string) => ({ destination: { kind: 'bank', reference: 'CY17 0020 7777', holder } })
  const first = (await ask(traderId, '5', firm.as.operator, to('Ann Lee'))).body.id
  const second = (await ask(traderId, '5', firm.as.manager, to('Bob Lee'))).body.id
  const destination = async (id: string) =>
    (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.viewer })).body.destination
  expect([(await destination(first)).holder, (await destination(second)).holder]).toEqual(['Ann Lee', 'Bob Lee'])
  const third = (await ask(traderId, '5', firm.as.operator, to('Bob Lee'))).body.id
  expect((await destination(third)).id).toBe((await destination(second)).id)
  expect((await act(third, 'approve', firm.as.manager)).body.code).toBe('withdrawals.own_destination')
  firm.effects()
})

test('a withdrawal is never approved by the author of its destination', async () => {
  const traderId = await client()
  const destination = { kind: 'bank', reference: 'SHARED 1' }
  await app.call('POST', '/v1/withdrawals', {
    as: firm.as.manager,
    body: { traderId, currency: 'EUR', amount: '1', destination },
  })
  const second = await app.call('POST', '/v1/withdrawals', {
    as: firm.as.operator,
    body: { traderId, currency: 'EUR', amount: '1', destination: { ...destination, reference: 'shared1' } },
  })
  expect((await act(second.body.id, 'approve', firm.as.manager)).body.code).toBe('withdrawals.own_destination')
  firm.effects()
})

test('the page announces which approval needs a note, and the server requires a note for exactly those', async () => {
  const small = (await ask(await client(), '100')).body.id
  const large = (await ask(await client(), '12000', firm.as.operator)).body.id
  for (const id of [small, large]) {
    const { viewer } = (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })).body.review
    const refused = await act(id, 'approve', firm.as.manager, {})
    expect(refused.body.errors?.[0]?.message ?? '').toBe(
      viewer.noteOn.length === 0 ? '' : `is needed: ${viewer.noteOn.join(', ')}`,
    )
  }
  const { viewer } = (await app.call('GET', `/v1/withdrawals/${large}`, { as: firm.as.admin })).body.review
  expect(viewer.noteOn).toEqual(['sanctions', 'IBAN'])
  const plain = (await app.call('GET', `/v1/withdrawals/${small}`, { as: firm.as.admin })).body.review.viewer
  expect(plain.noteOn).toEqual([])
  const viewers = (await app.call('GET', `/v1/withdrawals/${large}`, { as: firm.as.viewer })).body.review.viewer
  expect(viewers).toMatchObject({ mayApprove: false, noteOn: [] })
})

test('a person who says that an approved payment was never sent does not approve it again alone', async () => {
  const paidIn = async (): Promise<string> => {
    const traderId = await firm.trader({ kycLevel: 2 })
    const body = { traderId, currency: 'EUR', amount: '9000', method: 'bank' }
    const deposit = await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })
    await app.call('POST', `/v1/deposits/${deposit.body.id}/settle`, { as: firm.as.owner })
    return traderId
  }
  const approveAnew = async (traderId: string) => {
    const again = (await ask(traderId, '9000')).body.id
    return (await act(again, 'approve', firm.as.manager)).body.status
  }
  // a manager who made no such statement is enough
  expect(await approveAnew(await paidIn())).toBe('approved')

  const rejected = await paidIn()
  const sent = (await ask(rejected, '9000')).body.id
  expect((await act(sent, 'approve', firm.as.admin)).body.status).toBe('approved')
  expect((await act(sent, 'reject', firm.as.manager, { detail: 'not sent' })).status).toBe(200)
  expect(await approveAnew(rejected)).toBe('requested')

  const cancelled = await paidIn()
  const late = (await ask(cancelled, '9000')).body.id
  await act(late, 'approve', firm.as.admin)
  app.clock.advance(8 * DAY)
  const pay = await act(late, 'pay', firm.as.manager, { paymentReference: 'LATE-1' })
  expect(pay.body.code).toBe('approval_lapsed')
  expect((await act(late, 'cancel', firm.as.manager, { nothingSent: true })).status).toBe(200)
  expect(await approveAnew(cancelled)).toBe('requested')
  firm.effects()
})

test('a request of 24 hours ago no longer counts for its author, even if a vote on it is younger', async () => {
  const traderId = await client()
  const first = (await ask(traderId, '11000', firm.as.manager)).body.id
  app.clock.advance(HOUR)
  await act(first, 'approve', firm.as.owner)
  app.clock.advance(23 * HOUR - 1)
  const { id } = (await ask(traderId, '1')).body
  const needsSecond = async () =>
    (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })).body.review.viewer.needsSecond
  expect(await needsSecond()).toContain('asked for or approved for this client in 24 hours')
  app.clock.advance(1)
  expect(await needsSecond()).toBeNull()
  firm.effects()
})

test('a person who brought a client money approves alone up to a tenth of the threshold a day, and not a cent more', async () => {
  const traderId = await client()
  const seen = async (amount: string) => {
    const { id } = (await ask(traderId, amount)).body
    return (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })).body.review
  }
  expect((await seen('1000')).viewer.needsSecond).toBeNull()
  expect((await seen('1000.01')).viewer.needsSecond).toContain('1000.00 EUR')
  firm.effects()
})

test('every reader sees the same approvals that a withdrawal still needs, and the names of who can give them', async () => {
  const { viewer, manager, admin, owner } = firm.as
  const people = ['admin', 'manager', 'owner', 'platform_admin'].map((role) => `${role} of alpha`)
  const traderId = await client()
  const { id } = (await ask(traderId, '1000.01')).body
  const readAs = async (as: Caller) => (await app.call('GET', `/v1/withdrawals/${id}`, { as })).body.review
  const all = async () => {
    const reviews = await Promise.all([viewer, manager, admin, owner].map(readAs))
    const told = reviews.map(({ approvalsNeeded, adminNeeded, reason, helpers }) =>
      JSON.stringify([approvalsNeeded, adminNeeded, reason, helpers]),
    )
    expect(new Set(told).size).toBe(1)
    const [{ approvalsNeeded, reason, helpers }] = reviews
    const names = (is: boolean): string[] =>
      helpers.flatMap(({ name, enough }: { name: string; enough: boolean }) => (enough === is ? [name] : []))
    return { approvalsNeeded, reason, enough: names(true), beside: names(false) }
  }
  const others = people.filter((name) => name !== 'manager of alpha')
  expect(await all()).toEqual({
    approvalsNeeded: 1,
    reason: 'below 10000.00 EUR',
    enough: others,
    beside: ['manager of alpha'],
  })
  // the manager, who settled the client's deposit, approves; the withdrawal waits for somebody else
  expect((await act(id, 'approve', manager)).body.status).toBe('requested')
  const after = await all()
  expect(after).toMatchObject({ approvalsNeeded: 2, enough: others, beside: [] })
  expect(after.reason).toStartWith('manager of alpha had a part in bringing this client money')
  const { body } = await app.call('GET', `/v1/withdrawals/reviews?ids=${id}`, { as: owner })
  expect(body.data[0].review).toMatchObject({ approvalsNeeded: 2, helpers: null })
  expect((await act(id, 'approve', admin)).body.status).toBe('approved')
  expect(await readAs(viewer)).toMatchObject({ approvalsNeeded: 1, helpers: null })
  firm.effects()
})

test('an approval that was not enough when given still waits for another one, and the page says why', async () => {
  const { manager, viewer } = firm.as
  const traderId = await client()
  await ask(traderId, '9999', manager)
  const { id } = (await ask(traderId, '1')).body
  expect((await act(id, 'approve', manager)).body.status).toBe('requested')
  app.clock.advance(25 * HOUR)
  const { review } = (await app.call('GET', `/v1/withdrawals/${id}`, { as: viewer })).body
  expect(review).toMatchObject({ approvalsNeeded: 2, reason: 'it took two people when manager of alpha approved it' })
  firm.effects()
})

test('two votes in a firm of two no longer pay once both people are involved', async () => {
  const small = await app.firm('two')
  const desk = createDesk(() => ({ app, firm: small }))
  const { admin, owner } = small.as
  const traderId = await desk.client()
  const approved = async () => {
    const { id } = (await desk.ask(traderId, '11000', admin)).body
    expect((await desk.act(id, 'approve', owner)).body.status).toBe('requested')
    expect((await desk.act(id, 'approve', admin)).body.status).toBe('approved')
    return id
  }
  await desk.onlyThese(admin, owner)
  const pay = async (id: string) => (await desk.act(id, 'pay', owner, { paymentReference: id })).body
  const [first, second] = [await approved(), await approved()]
  expect((await pay(first)).status).toBe('paid')
  await app.call('PATCH', `/v1/traders/${traderId}`, { as: owner, body: { email: 'owner@evil.test' } })
  expect((await desk.act(second, 'pay', admin, { paymentReference: second })).body.code).toBe('approval_void')
})

test('an approval may be paid within seven days; then a payment or the job sends the withdrawal back', async () => {
  const approvedFor = async (ms: number): Promise<string> => {
    const { id } = (await ask(await client(), '10')).body
    await act(id, 'approve', firm.as.manager)
    app.clock.advance(ms)
    return id
  }
  const job = () => lapseApprovals.run({ platform: app.platform, signal: new AbortController().signal })
  const pay = async (id: string) => (await act(id, 'pay', firm.as.manager, { paymentReference: id })).body
  const early = await approvedFor(7 * DAY - 1)
  // approvals of other tests may have expired before
  await job()
  expect(await job()).toBeNull()
  expect((await pay(early)).status).toBe('paid')
  expect((await pay(await approvedFor(7 * DAY))).code).toBe('approval_lapsed')
  await approvedFor(7 * DAY)
  expect(await job()).toContain('1')
  expect(await job()).toBeNull()
  firm.effects()
})

test('a large amount is not approved by two managers, but by a manager and an admin', async () => {
  const large = await app.firm('managers')
  const desk = createDesk(() => ({ app, firm: large }))
  const { manager, operator: second, admin, owner } = large.as
  const sql = `UPDATE users SET roles = '["manager"]' WHERE id = ?`
  await app.platform.writer.submit(() => app.platform.connection.run(sql, [second.id]))
  const { id } = (await desk.ask(await desk.client(), '10000', owner)).body
  expect((await desk.act(id, 'approve', manager)).body.status).toBe('requested')
  const refused = await desk.act(id, 'approve', second)
  expect([refused.status, refused.body.code]).toEqual([403, 'withdrawals.needs_admin'])
  expect((await desk.act(id, 'approve', admin)).body.status).toBe('approved')
})

test.each([
  ["status = 'suspended'", 'trader', 'suspended', 'withdrawals.trader_not_active'],
  ['deleted_at = 1', 'trader', 'deleted', 'withdrawals.trader_not_active'],
  ['legal_hold = 1', 'trader', 'hold', 'withdrawals.legal_hold'],
  ['kyc_level = 0', 'kyc', '0', 'withdrawals.kyc_too_low'],
])('whatever makes an approval impossible is shown as a block: %s', async (change, shown, word, code) => {
  const traderId = await client()
  const { id } = (await ask(traderId, '10')).body
  const sql = `UPDATE traders SET ${change} WHERE id = ?`
  await app.platform.writer.submit(() => app.platform.connection.run(sql, [traderId]))
  const { body } = await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })
  const stops = body.review.checks.filter(({ state }: { state: string }) => state === 'blocks')
  expect(stops).toMatchObject([{ name: shown, text: expect.stringContaining(word) }])
  const refused = await act(id, 'approve', firm.as.manager)
  expect([refused.status, refused.body.code]).toEqual([409, code])
  firm.effects()
})
