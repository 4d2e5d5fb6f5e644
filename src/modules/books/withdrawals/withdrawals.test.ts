import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))
const requested = async (amount = '100', traderId?: string): Promise<string> => {
  const answer = await ask(traderId ?? (await client()), amount)
  expect(answer.status).toBe(201)
  firm.effects()
  return answer.body.id
}
const readWallet = async (traderId: string) =>
  (await app.call('GET', `/v1/wallets?traderId=${traderId}`, { as: firm.as.viewer })).body.data[0]

test('several withdrawals are read at once with their checks; unknown ones and another firm’s are left out', async () => {
  const ids = [await requested('10'), await requested('20')]
  const read = (as = firm.as.viewer) =>
    app.call('GET', `/v1/withdrawals/reviews?ids=${[...ids, 'none'].join(',')}`, { as })
  const { body } = await read()
  expect(body.data.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted())
  for (const one of body.data) {
    const alone = (await app.call('GET', `/v1/withdrawals/${one.id}`, { as: firm.as.viewer })).body
    expect(one).toEqual({ ...alone, review: { ...alone.review, helpers: null } })
  }
  expect((await read(other.as.owner)).body.data).toEqual([])
  const many = async (length: number) => {
    const unknown = Array.from({ length }, (_, at) => `w${at}`).join(',')
    return (await app.call('GET', `/v1/withdrawals/reviews?ids=${unknown}`, { as: firm.as.viewer })).status
  }
  expect([await many(30), await many(31)]).toEqual([200, 422])
})

describe('a request', () => {
  test('a request holds the amount, fires its event, and audits itself and the new destination', async () => {
    const traderId = await client('100')
    const answer = await ask(traderId, '60.50')
    expect(answer.status).toBe(201)
    const times = { approvedAt: null, paidAt: null, lapsedAt: null, payBefore: null }
    expect(answer.body).toMatchObject({ status: 'requested', amount: '60.50', currency: 'EUR', version: 1, ...times })
    expect(firm.effects()).toEqual({
      events: ['withdrawal.requested'],
      actions: ['payout_destination.create', 'withdrawal.request'],
    })
    expect(await readWallet(traderId)).toMatchObject({ available: '39.50', held: '60.50' })
    expect((await ask(traderId, '39.51')).body.code).toBe('withdrawals.insufficient_funds')
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a request to a destination that is one day old says “1 day”', async () => {
    const id = await requested('10')
    const entered = async (): Promise<string> => {
      const { body } = await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })
      return body.review.checks.find(({ name }: { name: string }) => name === 'destination_age').text
    }
    app.clock.advance(HOUR)
    expect(await entered()).toMatch(/ 1 hour ago$/)
    app.clock.advance(24 * HOUR)
    expect(await entered()).toMatch(/ 1 day ago$/)
  })

  test('1,000 requests at once never take more than the wallet has', async () => {
    const traderId = await client('100')
    const answers = await Promise.all(Array.from({ length: 1000 }, () => ask(traderId, '7')))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(14)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(986)
    expect(await readWallet(traderId)).toMatchObject({ available: '2.00', held: '98.00' })
    firm.effects()
  })

  test('a request with the same Idempotency-Key is made once', async () => {
    const traderId = await client('100')
    const body = { traderId, currency: 'EUR', amount: '10', destination: { kind: 'bank', reference: 'X1' } }
    const headers = { 'idempotency-key': 'w-1' }
    const first = await app.call('POST', '/v1/withdrawals', { as: firm.as.operator, body, headers })
    const again = await app.call('POST', '/v1/withdrawals', { as: firm.as.operator, body, headers })
    expect(again.body).toEqual(first.body)
    expect((await readWallet(traderId)).held).toBe('10.00')
    firm.effects()
  })

  test.each([
    ['UPDATE traders SET kyc_level = 0 WHERE id = ?', 'withdrawals.kyc_too_low'],
    ["UPDATE traders SET status = 'suspended' WHERE id = ?", 'withdrawals.trader_not_active'],
    ['UPDATE traders SET legal_hold = 1 WHERE id = ?', 'withdrawals.legal_hold'],
    [
      `INSERT INTO sanctions_hits (tenant_id, id, trader_id, source, reference, name, score, explanation, list_hash, created_at, updated_at)
       SELECT tenant_id, 'hit_' || id, id, 'un', 'R1', 'X', 90, '{}', 'h', 0, 0 FROM traders WHERE id = ?`,
      'withdrawals.sanctions_hit',
    ],
  ])('a request is blocked by %s', async (sql, code) => {
    const traderId = await client()
    await app.platform.writer.submit(() => app.platform.connection.run(sql, [traderId]))
    const answer = await ask(traderId, '10')
    expect([answer.status, answer.body.code]).toEqual([409, code])
    // a client may learn about their documents, but never that they are suspected
    if (code.endsWith('trader_not_active')) return
    const as = await firm.traderSession(traderId)
    const body = { currency: 'EUR', amount: '10', destination: { kind: 'bank', reference: 'X1' } }
    const told = await app.call('POST', '/v1/withdrawals', { as, body })
    const discreet = code.endsWith('legal_hold') || code.endsWith('sanctions_hit')
    expect([told.status, told.body.code]).toEqual([409, discreet ? 'withdrawals.under_review' : code])
    if (discreet) expect(told.text).not.toMatch(/sanction|hold|match|list/i)
  })

  test('a wrong request is a 422 that names the field; a client requests only for themselves', async () => {
    const traderId = await client()
    for (const [extra, path] of [
      [{ amount: '-5' }, 'amount'],
      [{ amount: '0' }, 'amount'],
      [{ currency: 'QQQ' }, 'currency'],
      [{ destination: { kind: 'bank' } }, 'destination.reference'],
      [{ traderId: 'trd_none' }, 'traderId'],
    ] as const) {
      const answer = await ask(traderId, '10', firm.as.operator, extra)
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].path).toBe(path)
    }
    const session = await firm.traderSession(traderId)
    const noted = await ask(traderId, '1', firm.as.operator, { note: 'for colleagues' })
    const seen = await app.call('GET', `/v1/withdrawals/${noted.body.id}`, { as: session })
    expect([seen.status, seen.body.note]).toEqual([200, null])
    expect((await app.call('GET', '/v1/withdrawals', { as: session })).text).not.toContain('colleagues')
    await app.call('POST', `/v1/withdrawals/${noted.body.id}/reject`, { as: firm.as.manager, body: { detail: 'No.' } })
    const { review } = (await app.call('GET', `/v1/withdrawals/${noted.body.id}`, { as: firm.as.viewer })).body
    expect(review.decisions).toMatchObject([{ decision: 'reject', userId: firm.as.manager.id }])
    const own = await app.call('POST', '/v1/withdrawals', {
      as: session,
      body: { currency: 'EUR', amount: '5', destination: { kind: 'card', reference: '4242' } },
    })
    expect(own.status).toBe(201)
    expect((await app.call('GET', `/v1/withdrawals/${own.body.id}`, { as: session })).body.review).toBeNull()
    const stranger = await firm.traderSession(await client())
    expect((await app.call('GET', `/v1/withdrawals/${own.body.id}`, { as: stranger })).status).toBe(404)
    expect((await app.call('POST', `/v1/withdrawals/${own.body.id}/cancel`, { as: stranger })).status).toBe(404)
    expect((await app.call('POST', `/v1/withdrawals/${own.body.id}/cancel`, { as: session })).status).toBe(200)
    expect((await readWallet(traderId)).held).toBe('0.00')
    firm.effects()
  })
})

test('only scheme and last four digits of a card are stored', async () => {
  const traderId = await client('100')
  const to = (reference: string, kind = 'card', extra: object = {}) =>
    ask(traderId, '1', firm.as.operator, { destination: { kind, reference }, ...extra })
  for (const [answer, path] of [
    [await to('4111111111111111'), 'destination.reference'],
    [await to('4111 1111 1111 1111', 'bank'), 'destination.reference'],
    [await to('tok_9f3'), 'destination.reference'],
    [await to('X1', 'bank', { note: 'their card 4111111111111111' }), 'note'],
    [
      await act(await requested(), 'pay', firm.as.manager, { paymentReference: '5555 5555 5555 4444' }),
      'paymentReference',
    ],
  ] as const) {
    expect([answer.status, answer.body.code]).toEqual([422, 'card_number'])
    expect(answer.body.errors).toMatchObject([{ path, code: 'card_number' }])
    expect(answer.text).not.toContain('1111')
  }
  const read = async (id: string) => (await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })).body
  const kept = await read((await to('VISA •••• 4242')).body.id)
  expect(kept.destination.reference).toBe('VISA 4242')
  expect((await read((await to('Visa 4242')).body.id)).destinationId).toBe(kept.destinationId)
  const theirs = { as: firm.as.operator, body: { traderId: await client('100'), currency: 'EUR', amount: '1' } }
  const other = await app.call('POST', '/v1/withdrawals', {
    ...theirs,
    body: { ...theirs.body, destination: { kind: 'card', reference: 'Visa 4242' } },
  })
  // many people have a card with these digits, so it proves nothing
  const { review } = await read(other.body.id)
  expect(review.checks.find(({ name }: { name: string }) => name === 'destination').state).toBe('not_checked')
  firm.effects()
})

describe('approval', () => {
  test('one manager approves below the threshold; then the withdrawal is paid and leaves the books', async () => {
    const traderId = await client('500')
    const id = await requested('100', traderId)
    expect((await act(id, 'pay', firm.as.manager, { paymentReference: 'early' })).status).toBe(409)
    const [approvedAt, payBefore] = [0, 7 * DAY].map((ms) => new Date(app.clock.now() + ms).toISOString())
    const approved = { status: 'approved', approvedAt, payBefore }
    expect((await act(id, 'approve', firm.as.manager)).body).toMatchObject(approved)
    expect(firm.effects()).toEqual({ events: ['withdrawal.approved'], actions: ['withdrawal.approve'] })
    expect((await act(id, 'approve', firm.as.admin)).status).toBe(409)
    const paid = await act(id, 'pay', firm.as.manager, { paymentReference: 'PAY-1' })
    expect(paid.body).toMatchObject({ status: 'paid', paymentReference: 'PAY-1', payBefore: null })
    expect(firm.effects()).toEqual({ events: ['withdrawal.paid'], actions: ['withdrawal.pay'] })
    expect(await readWallet(traderId)).toMatchObject({ available: '400.00', held: '0.00' })
    expect((await act(id, 'pay', firm.as.manager, { paymentReference: 'PAY-2' })).status).toBe(409)
    const second = await requested('50', traderId)
    await act(second, 'approve', firm.as.manager)
    for (const paymentReference of ['PAY-1', 'pay-1', ' Pay-1', 'PAY-1 ']) {
      const { status, body } = await act(second, 'pay', firm.as.manager, { paymentReference })
      expect([status, body.code, body.errors[0].path]).toEqual([409, 'reference_used', 'paymentReference'])
      expect(body.detail).toContain(id)
    }
    // the reference of a bank may equal that of another provider
    const destination = { kind: 'crypto', reference: 'bc1q' }
    const { body: elsewhere } = await ask(traderId, '10', firm.as.operator, { destination })
    await act(elsewhere.id, 'approve', firm.as.manager)
    expect((await act(elsewhere.id, 'pay', firm.as.manager, { paymentReference: 'pay-1' })).body.status).toBe('paid')
    firm.effects()
  })

  test('two people approve from the threshold on, one of them an admin; the same person does not count twice', async () => {
    const id = await requested('12000')
    expect((await act(id, 'approve', firm.as.manager)).body.status).toBe('requested')
    expect(firm.effects()).toEqual({ events: [], actions: ['withdrawal.approve_first'] })
    expect((await act(id, 'approve', firm.as.manager)).body.code).toBe('withdrawals.already_decided')
    const detail = await app.call('GET', `/v1/withdrawals/${id}`, { as: firm.as.manager })
    expect(detail.body.review).toMatchObject({ approvalsNeeded: 2, adminNeeded: true, viewer: { mayApprove: false } })
    expect(detail.body.review.decisions).toHaveLength(1)
    expect((await act(id, 'approve', firm.as.admin)).body.status).toBe('approved')
    expect(firm.effects().events).toEqual(['withdrawal.approved'])
  })

  test('an approval expires after 72 hours', async () => {
    const id = await requested('12000')
    const lapsed = async (of = id): Promise<boolean[]> => {
      const { body } = await app.call('GET', `/v1/withdrawals/${of}`, { as: firm.as.manager })
      return body.review.decisions.map((decision: { lapsed: boolean }) => decision.lapsed)
    }
    await act(id, 'approve', firm.as.admin)
    expect(await lapsed()).toEqual([false])
    app.clock.advance(73 * HOUR)
    expect(await lapsed()).toEqual([true])
    expect((await act(id, 'approve', firm.as.manager)).body.status).toBe('requested')
    expect((await act(id, 'approve', firm.as.admin)).body.status).toBe('approved')
    await act(id, 'pay', firm.as.manager, { paymentReference: 'IN-TIME' })
    app.clock.advance(73 * HOUR)
    expect(await lapsed()).toEqual([true, false, false])
    const no = await requested('10')
    await act(no, 'reject', firm.as.manager, { detail: 'other' })
    expect(await lapsed(no)).toEqual([false])
    // a new decision voids its author's own approval, and not another person's
    for (const [author, gone] of [
      [firm.as.manager, true],
      [firm.as.admin, false],
    ] as const) {
      const changed = await requested('12000')
      await act(changed, 'approve', firm.as.manager)
      await act(changed, 'reject', author, { detail: 'other' })
      expect(await lapsed(changed)).toEqual([gone, false])
    }
    firm.effects()
  })

  test('the requester never approves, not even with a key', async () => {
    const traderId = await client()
    const { body } = await ask(traderId, '10', firm.as.manager)
    expect((await act(body.id, 'approve', firm.as.manager)).body.code).toBe('withdrawals.own_request')
    const key = await firm.key(['withdrawal-decisions:write'], 'manager')
    expect((await act(body.id, 'approve', key)).body.code).toBe('withdrawals.own_request')
    expect((await act(body.id, 'approve', firm.as.operator)).status).toBe(403)
    expect((await act(body.id, 'approve', other.as.owner)).status).toBe(404)
    firm.effects()
  })

  test('of 50 simultaneous approvals exactly one succeeds, in each of 20 rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await requested('10')
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => act(id, 'approve', n % 2 ? firm.as.manager : firm.as.admin)),
      )
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
    }
    firm.effects()
  })

  test('approval and payment stop at a block that came after the request', async () => {
    const traderId = await client()
    const [first, second] = [await requested('10', traderId), await requested('10', traderId)]
    await act(second, 'approve', firm.as.manager)
    await app.call('PATCH', `/v1/traders/${traderId}`, { as: firm.as.manager, body: { legalHold: true } })
    expect((await act(first, 'approve', firm.as.manager)).body.code).toBe('withdrawals.legal_hold')
    expect((await act(second, 'pay', firm.as.manager, { paymentReference: 'held' })).body.code).toBe(
      'withdrawals.legal_hold',
    )
    firm.effects()
  })

  test('a bulk approval decides each withdrawal by its own rules, with a result for each', async () => {
    const small = await requested('10')
    const large = await requested('20000')
    const answer = await app.call('POST', '/v1/withdrawals/bulk-approve', {
      as: firm.as.admin,
      body: { ids: [small, large, 'wdr_none'], note: 'looked' },
    })
    expect(answer.body.results).toMatchObject([
      { id: small, ok: true, status: 'approved' },
      { id: large, ok: true, status: 'requested' },
      { id: 'wdr_none', ok: false, code: 'not_found' },
    ])
    firm.effects()
  })
})

describe('rejection', () => {
  test('a rejection releases the hold; its reason is sent in payload.detail', async () => {
    const traderId = await client('100')
    const id = await requested('40', traderId)
    const answer = await act(id, 'reject', firm.as.manager, {
      detail: 'Please use your own account.',
      note: 'third-party IBAN',
    })
    expect(answer.body).toMatchObject({ status: 'rejected', rejectionDetail: 'Please use your own account.' })
    expect(answer.text).not.toContain('third-party')
    expect(firm.effects()).toEqual({ events: ['withdrawal.rejected'], actions: ['withdrawal.reject'] })
    const event = app.platform.reader.get<{ body: string }>(
      "SELECT body FROM events WHERE event = 'withdrawal.rejected' ORDER BY position DESC LIMIT 1",
    )
    expect(JSON.parse(event?.body ?? '{}').payload.detail).toBe('Please use your own account.')
    expect(event?.body).not.toContain('third-party')
    expect(await readWallet(traderId)).toMatchObject({ available: '100.00', held: '0.00' })
    expect((await act(id, 'reject', firm.as.manager, { detail: 'again' })).status).toBe(409)
    expect((await act(id, 'reject', firm.as.manager, {})).body.errors[0].path).toBe('detail')
  })
})

describe('the policy', () => {
  test('the policy simulates who must approve; an owner sets the threshold; a missing rate counts as large', async () => {
    const simulate = async (query: string) =>
      (await app.call('GET', `/v1/approval-policies?${query}`, { as: firm.as.manager })).body.simulation
    expect(await simulate('amount=12000&currency=EUR')).toMatchObject({
      approvals: 2,
      adminNeeded: true,
      comparedAmount: '12000.00',
    })
    expect(await simulate('amount=9999.99&currency=EUR')).toMatchObject({ approvals: 1, adminNeeded: false })
    expect(await simulate('amount=1&currency=SEK')).toMatchObject({ approvals: 2, comparedAmount: null })
    await app.call('POST', '/v1/fx/rates/upsert', {
      as: firm.as.admin,
      body: { rates: [{ base: 'SEK', quote: 'EUR', rate: '0.09' }] },
    })
    expect(await simulate('amount=1000&currency=SEK')).toMatchObject({ approvals: 1, comparedAmount: '90.00' })
    expect((await app.call('GET', '/v1/approval-policies?amount=5', { as: firm.as.manager })).body.errors[0].path).toBe(
      'query.currency',
    )
    const policy = { currency: 'EUR', threshold: '500', minKycLevel: 1 }
    expect((await app.call('PUT', '/v1/approval-policies', { as: firm.as.admin, body: policy })).status).toBe(403)
    const set = await app.call('PUT', '/v1/approval-policies', { as: firm.as.owner, body: policy })
    expect(set.body).toMatchObject({ threshold: '500.00', version: 1 })
    expect(firm.effects().actions).toContain('approval_policy.set')
    expect(await simulate('amount=500&currency=EUR')).toMatchObject({ approvals: 2 })
    expect(
      (await app.call('GET', '/v1/approval-policies?amount=500&currency=EUR', { as: other.as.manager })).body.simulation
        .approvals,
    ).toBe(1)
  })
})

test('a client who cancels does not see the notes of staff', async () => {
  const traderId = await client()
  const { id } = (await ask(traderId, '5', firm.as.operator, { note: 'suspected fraud' })).body
  expect((await act(id, 'cancel', await firm.traderSession(traderId))).body).toMatchObject({
    status: 'cancelled',
    note: null,
  })
  firm.effects()
})

test('withdrawals have a list and a file, and the books balance', async () => {
  const list = await app.call('GET', '/v1/withdrawals?status=paid&count=true', { as: firm.as.viewer })
  expect(list.body.total).toBe(3)
  const csv = await app.call('GET', '/v1/withdrawals/export.csv?status=paid', { as: firm.as.manager })
  expect(csv.text.trim().split('\n')).toHaveLength(4)
  expect((await app.call('GET', '/v1/withdrawals', { as: other.as.viewer })).body.data).toEqual([])
  const balance = await app.call('GET', '/v1/ledger/trial-balance', { as: firm.as.manager })
  expect(balance.body.balanced).toBe(true)
})
