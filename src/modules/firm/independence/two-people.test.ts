import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { users } from '../users/users.table.ts'

let app: TestApp
let firm: Firm

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const removeOthers = (keep: readonly string[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.remove', (tx) => {
    for (const { id } of tx.list(users, {})) if (!keep.includes(id)) tx.update(users, id, { status: 'disabled' })
    return null
  })

describe('deposits that staff settle', () => {
  const announce = async (as: Caller, traderId: string, amount: string, extra: object = {}) =>
    call(as, 'POST', '/v1/deposits', { traderId, currency: 'EUR', amount, method: 'bank', ...extra })
  const settle = (as: Caller, id: string) => call(as, 'POST', `/v1/deposits/${id}/settle`)

  test('a deposit is settled by its announcer alone only below the threshold, summed over 24 hours', async () => {
    const traderId = await client()
    const { manager, admin } = firm.as
    const own = async (amount: string) => (await announce(manager, traderId, amount)).body.id
    expect((await settle(manager, await own('900000'))).body.code).toBe('second_person_needed')
    expect((await settle(manager, await own('9999.99'))).body.status).toBe('settled')
    const next = await own('0.01')
    expect((await settle(manager, next)).body.code).toBe('second_person_needed')
    expect((await settle(admin, next)).body.status).toBe('settled')
    app.clock.advance(DAY)
    expect((await settle(manager, await own('9999.99'))).body.status).toBe('settled')
    const key = await firm.key(['deposits:write', 'deposit-decisions:write'], 'admin')
    const byKey = (await announce(key, traderId, '1000000')).body.id
    expect((await settle(key, byKey)).body.code).toBe('second_person_needed')
    expect((await settle(admin, byKey)).body.code).toBe('second_person_needed')
  })

  test('a deposit from the threshold on needs two approvals even if a client announced it, and waits after the first', async () => {
    const traderId = await client()
    const session = await firm.traderSession(traderId)
    const { manager, admin, owner } = firm.as
    const { id } = (await announce(session, traderId, '50000')).body
    firm.effects()
    const first = await settle(manager, id)
    expect([first.status, first.body]).toMatchObject([
      202,
      { status: 'pending', firstWord: { by: manager.id, settledAmount: '50000.00' } },
    ])
    expect(firm.effects()).toEqual({ events: [], actions: ['deposit.first_word'] })
    expect((await settle(manager, id)).body.code).toBe('second_person_needed')
    // with another amount the approvals begin again
    const partial = `/v1/admin/deposits/${id}/partial-settle`
    const less = await call(admin, 'POST', partial, { settledAmount: '49000' })
    expect([less.status, less.body.firstWord.by]).toEqual([202, admin.id])
    expect((await settle(owner, id)).status).toBe(202)
    const done = await settle(manager, id)
    expect([done.status, done.body]).toMatchObject([200, { status: 'settled', settledBy: manager.id, firstWord: null }])
    const own = await call(session, 'GET', `/v1/deposits/${id}`)
    expect(own.body).toMatchObject({ settledBy: null, firstWord: null, announcedBy: null })
  })

  test('a deposit counts in a person’s sum even if it did not need its first approval the next day', async () => {
    const traderId = await client()
    const session = await firm.traderSession(traderId)
    const { manager } = firm.as
    const announced = async (amount: string) => (await announce(session, traderId, amount)).body.id
    expect((await settle(manager, await announced('9999.99'))).status).toBe(200)
    const second = await announced('9999.99')
    expect((await settle(manager, second)).status).toBe(202)
    app.clock.advance(DAY)
    expect((await settle(manager, second)).status).toBe(200)
    expect((await settle(manager, await announced('950'))).status).toBe(202)
  })

  test('a payment reference credits one deposit in a firm and method', async () => {
    const traderId = await client()
    const { operator, manager, admin } = firm.as
    const wire = (as: Caller, providerReference: string, extra: object = {}) =>
      announce(as, traderId, '100', { providerReference, ...extra })
    const first = (await wire(operator, 'WIRE-1')).body.id
    const twin = (await wire(operator, ' wire-1 ')).body.id
    expect((await settle(manager, first)).body.status).toBe('settled')
    expect((await settle(manager, twin)).body).toMatchObject({
      code: 'reference_used',
      detail: expect.stringContaining(first),
    })
    expect((await wire(operator, 'Wire-1')).body.code).toBe('reference_used')
    expect((await wire(operator, 'WIRE-1', { repeatOf: first })).body.code).toBe('note_required')
    const meant = await wire(manager, 'WIRE-1', { repeatOf: first, note: 'two wires, one text' })
    expect((await settle(manager, meant.body.id)).body.code).toBe('second_person_needed')
    expect((await settle(admin, meant.body.id)).body.status).toBe('settled')
    expect((await announce(operator, traderId, '5', { method: 'card', providerReference: 'WIRE-1' })).status).toBe(201)
  })

  test('a pending deposit is cancelled by its announcer or by staff', async () => {
    const traderId = await client()
    const session = await firm.traderSession(traderId)
    const mine = (await announce(session, traderId, '5')).body.id
    const theirs = (await announce(firm.as.operator, traderId, '5')).body.id
    firm.effects()
    const cancel = (as: Caller, id: string) => call(as, 'POST', `/v1/deposits/${id}/cancel`)
    expect((await cancel(session, theirs)).body.code).toBe('deposits.not_announced')
    expect((await cancel(session, mine)).body.status).toBe('cancelled')
    expect((await cancel(firm.as.operator, theirs)).body.status).toBe('cancelled')
    expect((await cancel(firm.as.operator, theirs)).status).toBe(409)
    expect(firm.effects()).toEqual({ events: [], actions: ['deposit.cancel', 'deposit.cancel'] })
  })
})

describe('withdrawals', () => {
  test('a withdrawal does not count the vote of a colleague who was disabled or demoted since', async () => {
    const { operator, admin, manager, owner } = firm.as
    for (const change of [
      () => call(owner, 'PATCH', `/v1/users/${admin.id}`, { status: 'disabled' }),
      () => call(owner, 'PATCH', `/v1/users/${admin.id}/roles`, { roles: ['operator'] }),
    ]) {
      await call(owner, 'PATCH', `/v1/users/${admin.id}`, { status: 'active' })
      await call(owner, 'PATCH', `/v1/users/${admin.id}/roles`, { roles: ['admin'] })
      const traderId = await client()
      const id = (await ask(traderId, '20000', operator)).body.id
      await systemCtx(app.platform, firm.tenantId, 'test').write('test.vouch', (tx) => {
        tx.execute('DELETE FROM account_acts WHERE tenant_id = ?1')
        return null
      })
      const as = { ...admin, headers: (await firm.key(['withdrawal-decisions:write'], 'admin')).headers }
      expect((await act(id, 'approve', as)).body.status).toBe('requested')
      await change()
      expect((await act(id, 'approve', manager)).body.status).toBe('requested')
    }
  })

  test('withdrawals that one person requests or approves for a client are added up', async () => {
    const { operator, manager, admin } = firm.as
    const traderId = await client()
    const first = (await ask(traderId, '6000', await firm.traderSession(traderId), { traderId: undefined })).body.id
    expect((await act(first, 'approve', admin)).body.status).toBe('approved')
    const second = (await ask(traderId, '6000', await firm.traderSession(traderId), { traderId: undefined })).body.id
    expect((await act(second, 'approve', admin)).body.status).toBe('requested')
    expect((await act(second, 'approve', firm.as.owner)).body.status).toBe('approved')
    await ask(traderId, '6000', operator)
    const asked = (await ask(traderId, '6000', operator)).body.id
    const seen = await call(manager, 'GET', `/v1/withdrawals/${asked}`)
    expect(seen.body.review).toMatchObject({ approvalsNeeded: 2, adminNeeded: true })
    // every voter sees that two are needed, not only the one who brought the money
    const byOwner = await call(firm.as.owner, 'GET', `/v1/withdrawals/${asked}`)
    expect(byOwner.body.review).toMatchObject({ approvalsNeeded: 2, adminNeeded: true })
  })

  test('a withdrawal is no longer added up 24 hours after its request, even if approved since', async () => {
    const { operator, admin, owner } = firm.as
    const traderId = await client()
    const { body: first } = await ask(traderId, '6000', operator)
    app.clock.advance(DAY - 1)
    expect((await act(first.id, 'approve', admin)).body.status).toBe('approved')
    app.clock.advance(1)
    const { body: second } = await ask(traderId, '6000', operator)
    expect((await act(second.id, 'approve', owner)).body.status).toBe('approved')
  })

  test('the first of two votes on a withdrawal is bound to the version that was seen, and makes no new version', async () => {
    const { operator, admin, owner } = firm.as
    const { body } = await ask(await client(), '20000', operator)
    const vote = (as: Caller, version: number) =>
      app.call('POST', `/v1/withdrawals/${body.id}/approve`, {
        as,
        body: { note: 'looked' },
        headers: { 'if-match': `"${version}"` },
      })
    expect((await vote(admin, 7)).status).toBe(412)
    expect((await vote(admin, 1)).body).toMatchObject({ status: 'requested', version: 1 })
    const { body: other } = await ask(await client(), '20000', operator)
    expect((await act(other.id, 'approve', owner)).body).toMatchObject({ status: 'requested', version: 1 })
  })

  test('the person who settled a client’s money alone approves withdrawals up to a tenth of the threshold', async () => {
    const { operator, manager, owner } = firm.as
    const traderId = await client()
    const small = (await ask(traderId, '1000', operator)).body.id
    // this manager settled the test client's deposit
    expect((await act(small, 'approve', manager)).body.status).toBe('approved')
    const next = (await ask(traderId, '0.01', operator)).body.id
    expect((await act(next, 'approve', manager)).body.status).toBe('requested')
    expect((await act(next, 'approve', owner)).body.status).toBe('approved')
  })

  test.each([
    ['credit', 'requested'],
    ['debit', 'approved'],
  ])('a withdrawal approved only by the person who requested a %s for the client is %s', async (direction, status) => {
    const { operator, admin, owner } = firm.as
    const traderId = await client()
    const asked = { traderId, currency: 'EUR', direction, amount: '5', reason: 'x' }
    const { body } = await call(admin, 'POST', '/v1/adjustments', asked)
    expect((await call(owner, 'POST', `/v1/adjustments/${body.id}/approve`, {})).status).toBe(200)
    const id = (await ask(traderId, '1000.01', operator)).body.id
    expect((await act(id, 'approve', admin)).body.status).toBe(status)
  })

  test('an involved person may give the second vote in a small firm, with a note, and owners are mailed', async () => {
    const { owner, admin } = firm.as
    const traderId = await client()
    await removeOthers([owner.id, admin.id])
    const id = (await ask(traderId, '20000', admin)).body.id
    expect((await act(id, 'approve', admin)).body.code).toBe('withdrawals.own_request')
    expect((await act(id, 'approve', owner)).body.status).toBe('requested')
    expect((await act(id, 'approve', admin, {})).body.code).toBe('note_required')
    expect((await act(id, 'approve', admin, { note: 'nobody else is here' })).body.status).toBe('approved')
    const notices = await call(owner, 'GET', '/v1/mails?recipient=owner@alpha.test')
    expect(notices.body.data[0].subject).toContain('second vote')
    expect((await act(id, 'pay', owner, { paymentReference: 'P1' })).body.status).toBe('paid')
  })

  test('a withdrawal approved but unpaid for seven days goes back, and staff state that nothing was sent to end it', async () => {
    const { operator, admin, manager } = firm.as
    const traderId = await client()
    const approved = async () => {
      const id = (await ask(traderId, '10', operator)).body.id
      expect((await act(id, 'approve', admin)).body.payBefore).not.toBeNull()
      return id
    }
    const [late, other] = [await approved(), await approved()]
    app.clock.advance(7 * DAY)
    firm.effects()
    const refused = await act(late, 'pay', manager, { paymentReference: 'LATE' })
    expect([refused.status, refused.body.code]).toEqual([409, 'approval_lapsed'])
    expect(firm.effects()).toEqual({ events: [], actions: ['withdrawal.lapse'] })
    const { body } = await call(manager, 'GET', `/v1/withdrawals/${late}`)
    expect([body.status, body.lapsedAt === null]).toEqual(['requested', false])
    expect((await act(late, 'pay', manager, { paymentReference: 'LATE' })).body.code).toBe('approval_lapsed')
    const session = await firm.traderSession(traderId)
    expect((await act(late, 'cancel', session)).body.code).toBe('withdrawals.staff_only')
    expect((await act(late, 'cancel', operator)).body.code).toBe('nothing_sent_required')
    expect((await act(late, 'approve', admin)).body.status).toBe('approved')
    expect((await act(late, 'pay', manager, { paymentReference: 'LATE' })).body.status).toBe('paid')
    expect((await act(other, 'pay', manager, { paymentReference: 'L2' })).body.code).toBe('approval_lapsed')
    const asks = await firm.key(['withdrawals:write'], 'admin')
    expect((await act(other, 'cancel', asks, { nothingSent: true })).status).toBe(403)
    expect((await act(other, 'cancel', operator, { nothingSent: true })).body.status).toBe('cancelled')
  })

  test('a withdrawal goes back at payment if a vote no longer counts', async () => {
    const { operator, admin, owner, manager } = firm.as
    const id = (await ask(await client(), '10', operator)).body.id
    expect((await act(id, 'approve', admin)).body.status).toBe('approved')
    await call(owner, 'PATCH', `/v1/users/${admin.id}`, { status: 'disabled' })
    expect((await act(id, 'pay', manager, { paymentReference: 'V1' })).body.code).toBe('approval_void')
    expect((await act(id, 'approve', owner)).body.status).toBe('approved')
    expect((await act(id, 'pay', manager, { paymentReference: 'V1' })).body.status).toBe('paid')
  })

  test('a client with a colleague’s mailbox counts as that colleague’s own', async () => {
    const { admin, operator } = firm.as
    const { body } = await call(admin, 'POST', '/v1/traders', { email: 'A.dmin+client@ALPHA.test', firstName: 'X' })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.level', (tx) =>
      tx.execute('UPDATE traders SET kyc_level = 2 WHERE tenant_id = ?1 AND id = ?2', [body.id]),
    )
    const deposit = { traderId: body.id, currency: 'EUR', amount: '50', method: 'bank' }
    const { id } = (await call(operator, 'POST', '/v1/deposits', deposit)).body
    expect((await call(admin, 'POST', `/v1/deposits/${id}/settle`)).body.code).toBe('own_client')
    await call(firm.as.manager, 'POST', `/v1/deposits/${id}/settle`)
    expect((await ask(body.id, '5', admin)).body.code).toBe('own_client')
    const asked = (await ask(body.id, '5', operator)).body.id
    expect((await act(asked, 'approve', admin)).body.code).toBe('own_client')
  })
})

describe('transfers', () => {
  const wallet = async (traderId: string) =>
    (await call(firm.as.viewer, 'GET', `/v1/wallets?traderId=${traderId}&currency=EUR`)).body.data[0]
  const move = (as: Caller, body: object) => call(as, 'POST', '/v1/transfers', body)
  const account = async (traderId: string) =>
    (await call(firm.as.operator, 'POST', '/v1/accounts', { traderId, platform: 'terminal5', currency: 'EUR' })).body.id

  test('a transfer to another client is booked by one person only below the threshold, summed over a day', async () => {
    const [giver, taker] = [await wallet(await client()), await wallet(await client())]
    const give = (amount: string) => move(firm.as.manager, { fromWalletId: giver.id, toWalletId: taker.id, amount })
    expect((await give('10000')).body.code).toBe('needs_withdrawal')
    expect((await give('9000')).status).toBe(201)
    expect((await give('1000')).body.code).toBe('needs_withdrawal')
  })

  test('a transfer from an account is not booked by the person who reported its balance', async () => {
    const traderId = await client()
    const id = await account(traderId)
    const purse = await wallet(traderId)
    await move(firm.as.operator, { fromWalletId: purse.id, toAccountId: id, amount: '1000' })
    app.clock.advance(1)
    await call(firm.as.operator, 'PATCH', `/v1/accounts/${id}`, { balance: '100' })
    await call(firm.as.manager, 'PATCH', `/v1/accounts/${id}`, { balance: '1000' })
    const back = { fromAccountId: id, toWalletId: purse.id, amount: '1000' }
    expect((await move(firm.as.manager, back)).body.code).toBe('transfers.own_balance')
    expect((await move(firm.as.admin, back)).status).toBe(201)
  })

  test('a transfer waits for a platform that acknowledges; the money of a refused one comes back', async () => {
    await call(firm.as.owner, 'PATCH', '/v1/tenants/current', { platformAcknowledges: true })
    const traderId = await client('1000')
    const id = await account(traderId)
    const purse = await wallet(traderId)
    const said = (transferId: string, as: Caller, body: object) =>
      call(as, 'POST', `/v1/transfers/${transferId}/acknowledge`, body)
    const out = await move(firm.as.manager, { fromWalletId: purse.id, toAccountId: id, amount: '400' })
    expect(out.body.state).toBe('sent')
    expect((await said(out.body.id, firm.as.manager, { state: 'booked' })).body.code).toBe('transfers.own_request')
    expect((await said(out.body.id, firm.as.admin, { state: 'refused' })).body.errors[0].path).toBe('reason')
    const refused = await said(out.body.id, firm.as.admin, { state: 'refused', reason: 'market closed' })
    expect(refused.body).toMatchObject({ state: 'refused', refusalReason: 'market closed' })
    expect((await said(out.body.id, firm.as.admin, { state: 'refused', reason: 'again' })).status).toBe(200)
    expect((await said(out.body.id, firm.as.admin, { state: 'booked' })).status).toBe(409)
    expect(await wallet(traderId)).toMatchObject({ available: '1000.00', held: '0.00' })
    const again = await move(firm.as.operator, { fromWalletId: purse.id, toAccountId: id, amount: '400' })
    const bridge = await firm.key(['bridge:write', 'accounts:write'], 'admin')
    expect((await said(again.body.id, bridge, { state: 'booked', reference: 'T5-9' })).body.platformReference).toBe(
      'T5-9',
    )
    app.clock.advance(1)
    const home = await move(firm.as.manager, { fromAccountId: id, toWalletId: purse.id, amount: '100' })
    expect(await wallet(traderId)).toMatchObject({ available: '600.00', held: '100.00' })
    await said(home.body.id, bridge, { state: 'booked' })
    expect(await wallet(traderId)).toMatchObject({ available: '700.00', held: '0.00' })
    const late = { state: 'refused', reason: 'x' }
    const send = () => move(firm.as.operator, { fromWalletId: purse.id, toAccountId: id, amount: '50' })
    const atOnce = await send()
    await call(bridge, 'PATCH', `/v1/accounts/${id}`, { balance: '300' })
    expect((await said(atOnce.body.id, firm.as.owner, late)).status).toBe(200)
    const sent = await send()
    app.clock.advance(1)
    await call(bridge, 'PATCH', `/v1/accounts/${id}`, { balance: '350' })
    expect((await said(sent.body.id, firm.as.owner, late)).body.code).toBe('balance_reported')
    const books = await call(firm.as.manager, 'GET', '/v1/ledger/trial-balance')
    expect(books.body.balanced).toBe(true)
  })
})

test('a client whom a manager suspended is reopened only by a manager', async () => {
  const traderId = await client('5')
  const set = (as: Caller, status: string) => call(as, 'PATCH', `/v1/traders/${traderId}`, { status })
  await set(firm.as.operator, 'suspended')
  expect((await set(firm.as.manager, 'active')).status).toBe(200)
  await set(firm.as.manager, 'suspended')
  expect((await set(firm.as.operator, 'active')).body.code).toBe('traders.needs_manager')
  expect((await set(firm.as.admin, 'active')).status).toBe(200)
})
