import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hmacSha256Hex } from '../../../platform/secrets.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type GatewayCallback, gatewayRequest } from '../../../testing/fakes/gateway.ts'

const secret = 'a-shared-secret-of-the-gateway'
let app: TestApp
let firm: Firm
let other: Firm
let connectionId: string
let traderId: string

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader()
  const answer = await app.call('POST', '/v1/psp/connections', {
    as: firm.as.admin,
    body: { name: 'Cards', kind: 'generic', secret },
  })
  expect(answer.status).toBe(201)
  expect(answer.text).not.toContain(secret)
  connectionId = answer.body.id
})
afterAll(() => app.close())

const announce = async (amount = '100') => {
  const answer = await app.call('POST', '/v1/deposits', {
    as: firm.as.operator,
    body: { traderId, currency: 'EUR', amount, method: 'card', pspConnectionId: connectionId },
  })
  firm.effects()
  return answer.body.id as string
}
/** Sends a gateway's result: by default the success of the 100 EUR that `announce` announces. */
const callback = async (told: GatewayCallback, { with: key = secret, to = connectionId, signature = '' } = {}) => {
  const body = told.status === 'success' ? { amount: '100.00', currency: 'EUR', ...told } : told
  const request = gatewayRequest(`http://localhost/v1/psp/${to}/callback`, key, body)
  const headers = Object.fromEntries(request.headers)
  return app.call('POST', `/v1/psp/${to}/callback`, {
    raw: await request.text(),
    headers: { ...headers, ...(signature ? { 'x-psp-signature': signature } : {}) },
  })
}

const exceptions = async (depositId: string) =>
  (await app.call('GET', `/v1/psp/exceptions?depositId=${depositId}`, { as: firm.as.manager })).body.data

describe('POST /v1/psp/{connectionId}/callback', () => {
  test('a callback of a failure with the reference of another credited deposit becomes an exception', async () => {
    const [credited, depositId] = [await announce(), await announce()]
    await callback({ reference: 'r-used', depositId: credited, status: 'success' })
    const failed = await callback({ reference: 'r-used', depositId, status: 'failed', reason: 'declined' })
    expect([failed.status, failed.body.code]).toEqual([409, 'psp.reference_used'])
    expect(await exceptions(depositId)).toMatchObject([{ reason: 'reference_used', status: 'failed' }])
    firm.effects()
  })

  test('a card number in a callback’s text is kept only as scheme and last four digits', async () => {
    const depositId = await announce()
    const told = {
      reference: 'r-card',
      depositId,
      status: 'failed',
      reason: 'card 4111 1111 1111 1111 declined',
    } as const
    expect((await callback(told)).status).toBe(200)
    const deposit = await app.call('GET', `/v1/deposits/${depositId}`, { as: firm.as.manager })
    expect(deposit.body.failureReason).toBe('card Visa 1111 declined')
    expect(deposit.text).not.toContain('4111')
    firm.effects()
  })

  test('a success settles once; its repetitions answer 200 and post nothing', async () => {
    const depositId = await announce()
    const first = await callback({ reference: 'r-1', depositId, status: 'success', amount: '100.00', currency: 'EUR' })
    expect(first.body).toEqual({ outcome: 'applied', depositId, status: 'settled' })
    expect(firm.effects()).toEqual({ events: ['deposit.settled'], actions: ['deposit.gateway_settled'] })
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callback({ reference: 'r-1', depositId, status: 'success' })),
    )
    expect(answers.every(({ status, body }) => status === 200 && body.outcome === 'repeated')).toBe(true)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    const postings = app.platform.reader.all('SELECT 1 FROM ledger_transactions WHERE reference = ?', [depositId])
    expect(postings).toHaveLength(1)
  })

  test('a callback for a deposit that staff settled counts as a repetition; another reference is another payment', async () => {
    const depositId = await announce()
    await app.call('POST', `/v1/deposits/${depositId}/settle`, { as: firm.as.manager })
    expect((await callback({ reference: 'r-hand', depositId, status: 'success' })).body.outcome).toBe('repeated')
    expect((await callback({ reference: 'r-hand', status: 'success' })).body.outcome).toBe('repeated')
    expect((await callback({ reference: 'r-else', depositId, status: 'success' })).status).toBe(409)
    firm.effects()
  })

  test('of 20 successes at the same time, exactly one is applied', async () => {
    const depositId = await announce()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => callback({ reference: 'r-race', depositId, status: 'success' })),
    )
    expect(answers.filter(({ body }) => body.outcome === 'applied')).toHaveLength(1)
    expect(answers.every(({ status }) => status === 200)).toBe(true)
  })

  test('a success after a failure settles and is audited as late; a failure after a success is a 409', async () => {
    const depositId = await announce()
    expect((await callback({ reference: 'r-2', depositId, status: 'failed', reason: 'no funds' })).body.status).toBe(
      'failed',
    )
    expect(firm.effects()).toEqual({ events: ['deposit.failed'], actions: ['deposit.gateway_failed'] })
    expect((await callback({ reference: 'r-2', depositId, status: 'success' })).body.status).toBe('settled')
    expect(firm.effects()).toEqual({ events: ['deposit.settled'], actions: ['deposit.gateway_settled_late'] })
    const { body } = await app.call('GET', `/v1/deposits/${depositId}`, { as: firm.as.manager })
    const at = new Date(app.clock.now()).toISOString()
    expect(body.providerPayload.callbacks).toEqual([
      { status: 'failed', at, reason: 'no funds' },
      { status: 'success', at },
    ])
    expect((await callback({ reference: 'r-2', depositId, status: 'failed' })).status).toBe(409)
  })

  test('a callback that a payment is processing is noted and changes nothing', async () => {
    const depositId = await announce()
    expect((await callback({ reference: 'r-3', depositId, status: 'processing' })).body).toEqual({
      outcome: 'noted',
      depositId,
      status: 'pending',
    })
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a callback with another amount or currency than announced becomes an exception for staff', async () => {
    const depositId = await announce()
    const says = (body: object) => callback({ reference: 'r-4', depositId, status: 'success', ...body })
    expect((await says({ amount: '99.99' })).body.code).toBe('psp.amount_mismatch')
    expect((await says({ currency: 'USD' })).status).toBe(409)
    expect(firm.effects().events).toEqual([])
    // a repetition is the same exception
    expect((await says({ amount: '99.99' })).status).toBe(409)
    expect(await exceptions(depositId)).toMatchObject([
      { reason: 'currency', currency: 'USD', repeats: 0 },
      { reason: 'amount', amount: '99.99', repeats: 1, state: 'open' },
    ])
    const deposit = await app.call('GET', `/v1/deposits/${depositId}`, { as: firm.as.manager })
    expect(deposit.body).toMatchObject({ status: 'pending', settledAmount: null })
    expect(deposit.body.providerPayload.callbacks).toHaveLength(2)
    firm.effects()
  })

  describe('the same payment written otherwise', () => {
    const send = (raw: string) =>
      app.call('POST', `/v1/psp/${connectionId}/callback`, {
        raw,
        headers: { 'content-type': 'application/json', 'x-psp-signature': hmacSha256Hex(secret, raw) },
      })
    let sent = 0
    /** Announces a deposit and sends the success of its payment, with `fields` as JSON text. */
    const succeed = async (currency: string, amount: string, fields: string) => {
      const { body } = await app.call('POST', '/v1/deposits', {
        as: firm.as.operator,
        body: { traderId, currency, amount, method: 'card', pspConnectionId: connectionId },
      })
      sent += 1
      const raw = `{"reference":"written-${sent}","depositId":"${body.id}","status":"success",${fields}}`
      return { depositId: body.id as string, answer: await send(raw), repeat: await send(raw) }
    }

    test.each([
      ['JPY', '5000', '"amount":"5000.00","currency":"JPY"'],
      ['EUR', '100.10', '"amount":"100.100","currency":"EUR"'],
      ['EUR', '100.10', '"amount":"100.1","currency":"eur"'],
      ['EUR', '100.10', '"amount":100.1,"currency":"EUR"'],
      ['EUR', '100.10', '"amount":100.10,"currency":"EUR","reason":null'],
      ['EUR', '100.00', '"amount":1e2,"currency":" eur "'],
      ['EUR', '70071992547409.91', '"amount":70071992547409.910,"currency":"EUR"'],
      ['EUR', '100.00', `"amount":"100.00","currency":"EUR","reason":"${'long '.repeat(200)}"`],
    ])('a deposit of %s %s is settled once by a callback with %s', async (currency, amount, fields) => {
      const { answer, repeat } = await succeed(currency, amount, fields)
      expect([answer.status, answer.body.outcome, answer.body.status]).toEqual([200, 'applied', 'settled'])
      expect([repeat.status, repeat.body.outcome]).toEqual([200, 'repeated'])
      firm.effects()
    })

    test.each([
      ['"amount":"100.001","currency":"EUR"', 409, 'amount', '100.001'],
      ['"amount":100.0000000000000000001,"currency":"EUR"', 409, 'amount', '100.0000000000000000001'],
      [`"amount":"100.${'0'.repeat(40)}1","currency":"EUR"`, 409, 'amount', `100.${'0'.repeat(25)}…`],
      ['"amount":{"value":"100.00"},"currency":"EUR"', 409, 'amount', '{"value":"100.00"}'],
      ['"amount":"100.00","currency":"Euro of Europe"', 409, 'currency', '100.00'],
      ['"amount":null,"currency":"EUR"', 422, 'amount', null],
      ['"amount":"100.00","currency":null', 422, 'currency', '100.00'],
    ])('a callback with %s is kept for staff as it was written', async (fields, status, reason, amount) => {
      const { depositId, answer, repeat } = await succeed('EUR', '100.00', fields)
      expect([answer.status, repeat.status]).toEqual([status, status])
      expect(await exceptions(depositId)).toMatchObject([{ reason, amount, repeats: 1, state: 'open' }])
      const deposit = await app.call('GET', `/v1/deposits/${depositId}`, { as: firm.as.manager })
      expect(deposit.body.status).toBe('pending')
      firm.effects()
    })
  })

  test('a callback’s reference belongs to one deposit', async () => {
    const first = await announce()
    const second = await announce()
    await callback({ reference: 'r-5', depositId: first, status: 'success' })
    firm.effects()
    expect((await callback({ reference: 'r-5', depositId: second, status: 'success' })).body.code).toBe(
      'psp.reference_used',
    )
    expect(firm.effects().events).toEqual([])
    expect(await exceptions(second)).toMatchObject([{ reason: 'reference_used', reference: 'r-5' }])
  })

  test('any other verified result posts nothing and is stored until a person closes it', async () => {
    const settleInPart = async (id: string) =>
      app.call('POST', `/v1/admin/deposits/${id}/partial-settle`, {
        as: firm.as.manager,
        body: { settledAmount: '40.00' },
      })
    const partly = await announce()
    await settleInPart(partly)
    expect((await callback({ reference: 'r-20', depositId: partly, status: 'success' })).body.code).toBe(
      'psp.after_partial',
    )
    expect((await callback({ reference: 'r-21', status: 'success' })).body.code).toBe('psp.unknown_deposit')
    const [waiting] = await exceptions(partly)
    expect(waiting).toMatchObject({ reason: 'after_partial', amount: '100.00', state: 'open' })
    const summary = async () =>
      (await app.call('GET', '/v1/admin/notifications/summary', { as: firm.as.manager })).body.pspExceptions
    const before = await summary()
    const close = (body: object, as = firm.as.manager) =>
      app.call('POST', `/v1/psp/exceptions/${waiting.id}/close`, { as, body })
    expect((await close({ reason: 'x' }, firm.as.operator)).status).toBe(403)
    expect((await close({ reason: 'x' }, other.as.owner)).status).toBe(404)
    expect((await close({ reason: 'x', depositId: 'dep_none' })).body.errors[0].path).toBe('depositId')
    firm.effects()
    const closed = await close({ reason: 'booked apart', depositId: partly })
    expect(closed.body).toMatchObject({ state: 'closed', closedBy: firm.as.manager.id, bookedByDepositId: partly })
    expect(firm.effects()).toEqual({ events: [], actions: ['psp.exception_close'] })
    expect((await close({ reason: 'again' })).status).toBe(409)
    expect(await summary()).toBe(before - 1)
    const own = await app.call('GET', '/v1/psp/connections', { as: firm.as.admin })
    const counted = own.body.data.find(({ id }: { id: string }) => id === connectionId)
    expect(counted.openExceptions).toBeGreaterThan(0)
  })

  test('a late success settles a cancelled deposit; a second failed attempt is stored', async () => {
    const cancelled = await announce()
    await app.call('POST', `/v1/deposits/${cancelled}/cancel`, { as: firm.as.operator })
    firm.effects()
    expect((await callback({ reference: 'r-30', depositId: cancelled, status: 'success' })).body.status).toBe('settled')
    expect(firm.effects()).toEqual({ events: ['deposit.settled'], actions: ['deposit.gateway_settled_late'] })
    const failing = await announce()
    await callback({ reference: 'r-31', depositId: failing, status: 'failed' })
    expect((await callback({ reference: 'r-32', depositId: failing, status: 'failed' })).body.outcome).toBe('noted')
    const { body } = await app.call('GET', `/v1/deposits/${failing}`, { as: firm.as.manager })
    expect(body.providerPayload.callbacks.at(-1)).toMatchObject({ status: 'failed', reference: 'r-32' })
    firm.effects()
  })

  test('a success must say the paid amount, as the announced one may be wrong', async () => {
    const depositId = await announce('1000000')
    for (const [left, body] of [
      ['amount', { currency: 'EUR' }],
      ['currency', { amount: '1000000.00' }],
    ] as const) {
      const raw = JSON.stringify({ reference: 'r-bare', depositId, status: 'success', ...body })
      const answer = await app.call('POST', `/v1/psp/${connectionId}/callback`, {
        raw,
        headers: { 'content-type': 'application/json', 'x-psp-signature': hmacSha256Hex(secret, raw) },
      })
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, left])
    }
    expect(firm.effects().events).toEqual([])
  })

  test('a callback gets the same 401 for a wrong signature, an unknown connection and a removed one', async () => {
    const depositId = await announce()
    const body: GatewayCallback = { reference: 'r-6', depositId, status: 'success' }
    const answers = [
      await callback(body, { with: 'another secret of 16+' }),
      await callback(body, { to: 'psp_nothing' }),
      await callback(body, { signature: 'ff' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    expect(new Set(answers.map(({ body: { code } }) => code))).toEqual(new Set(['psp.bad_signature']))
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('a callback does not find a deposit of another firm', async () => {
    const foreign = await other.trader()
    const { body } = await app.call('POST', '/v1/deposits', {
      as: other.as.operator,
      body: { traderId: foreign, currency: 'EUR', amount: '5', method: 'card' },
    })
    const answer = await callback({ reference: 'r-7', depositId: body.id, status: 'success' })
    expect([answer.status, answer.body.code]).toEqual([409, 'psp.unknown_deposit'])
  })

  test.each([
    ['not json', 400],
    ['{"reference":"x","status":"maybe"}', 422],
    ['[]', 422],
  ])('the callback %s answers %d', async (raw, status) => {
    const { hmacSha256Hex } = await import('../../../platform/secrets.ts')
    const answer = await app.call('POST', `/v1/psp/${connectionId}/callback`, {
      raw,
      headers: { 'x-psp-signature': hmacSha256Hex(secret, raw) },
    })
    expect(answer.status).toBe(status)
  })
})

describe('/v1/psp/connections', () => {
  test('a gateway’s new secret applies at once; a disabled gateway’s callbacks are refused', async () => {
    const { body } = await app.call('POST', '/v1/psp/connections', {
      as: firm.as.admin,
      body: { name: 'Second', kind: 'generic', secret: 'first secret of the two' },
    })
    const patched = await app.call('PATCH', `/v1/psp/connections/${body.id}`, {
      as: firm.as.admin,
      body: { secret: 'second secret of the two' },
      headers: { 'if-match': '"1"' },
    })
    expect(patched.status).toBe(200)
    const depositId = await announce()
    expect(
      (
        await callback(
          { reference: 'x', depositId, status: 'success' },
          { to: body.id, with: 'first secret of the two' },
        )
      ).status,
    ).toBe(401)
    expect(
      (
        await callback(
          { reference: 'x', depositId, status: 'success' },
          { to: body.id, with: 'second secret of the two' },
        )
      ).body.code,
    ).toBe('psp.unknown_deposit')
    await app.call('PATCH', `/v1/psp/connections/${body.id}`, { as: firm.as.admin, body: { status: 'disabled' } })
    expect(
      (
        await callback(
          { reference: 'x', depositId, status: 'success' },
          { to: body.id, with: 'second secret of the two' },
        )
      ).status,
    ).toBe(409)
    expect((await app.call('DELETE', `/v1/psp/connections/${body.id}`, { as: firm.as.admin })).status).toBe(204)
    expect(
      (await app.call('PATCH', `/v1/psp/connections/${body.id}`, { as: firm.as.admin, body: { name: 'x' } })).status,
    ).toBe(404)
  })

  test('secrets of gateways are in no answer and no audit row; 403 below admin; 404 for another firm', async () => {
    const list = await app.call('GET', '/v1/psp/connections', { as: firm.as.admin })
    expect(list.body.data.length).toBeGreaterThan(0)
    for (const hidden of [secret, '"secret"']) expect(list.text).not.toContain(hidden)
    const audit = app.platform.reader.all<{ after: string | null }>('SELECT after FROM audit_data')
    expect(audit.some(({ after }) => after?.includes(secret))).toBe(false)
    expect((await app.call('GET', '/v1/psp/connections', { as: firm.as.manager })).status).toBe(403)
    expect(
      (await app.call('PATCH', `/v1/psp/connections/${connectionId}`, { as: other.as.admin, body: { name: 'mine' } }))
        .status,
    ).toBe(404)
    const short = await app.call('POST', '/v1/psp/connections', {
      as: firm.as.admin,
      body: { name: 'x', kind: 'generic', secret: 'short' },
    })
    expect(short.body.errors[0].path).toBe('secret')
  })
})
