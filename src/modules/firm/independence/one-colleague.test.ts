/** What a dishonest colleague could try alone with clients, gateways and colleagues, all of whom are honest. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { type GatewayCallback, gatewayRequest } from '../../../testing/fakes/gateway.ts'
import { until } from '../../../testing/until.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { purgeTraders } from '../../overview/privacy/erasure.jobs.ts'
import { credentials } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import { accountActs } from './independence.table.ts'

let app: TestApp
let firm: Firm
const { client, ask, act } = createDesk(() => ({ app, firm }))

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
const behind = <R>(run: Parameters<ReturnType<typeof systemCtx>['write']>[1]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run) as Promise<R>
const keepOnly = (...ids: string[]) =>
  behind((tx) => {
    for (const { id } of tx.list(users, {})) if (!ids.includes(id)) tx.update(users, id, { status: 'disabled' })
  })

const SECRET = 'the honest secret of the gateway'
async function gateway(): Promise<{ id: string; says: (word: GatewayCallback) => ReturnType<typeof app.call> }> {
  const { body } = await call(firm.as.owner, 'POST', '/v1/psp/connections', {
    name: 'G',
    kind: 'generic',
    secret: SECRET,
  })
  const path = `/v1/psp/${body.id}/callback`
  const says = async (word: GatewayCallback) => {
    const request = gatewayRequest(`http://localhost${path}`, SECRET, { amount: '50000.00', currency: 'EUR', ...word })
    return app.call('POST', path, { raw: await request.text(), headers: Object.fromEntries(request.headers) })
  }
  return { id: body.id, says }
}
const announce = (as: Caller, pspConnectionId: string, extra: object) =>
  call(as, 'POST', '/v1/deposits', { currency: 'EUR', amount: '50000', method: 'card', pspConnectionId, ...extra })
const readAvailable = async (traderId: string) =>
  (await call(firm.as.viewer, 'GET', `/v1/wallets?traderId=${traderId}&currency=EUR`)).body.data[0]?.available

test('a dishonest colleague claims no large unannounced payment before another person closes its exception', async () => {
  const { id, says } = await gateway()
  const mule = await firm.trader()
  const word = { reference: 'PAYMENT', status: 'success' } as const
  expect((await says(word)).body.code).toBe('psp.unknown_deposit')
  const { body: claim } = await announce(firm.as.operator, id, { traderId: mule, providerReference: 'PAYMENT' })
  expect((await says(word)).body.code).toBe('psp.unknown_deposit')
  const { body: work } = await call(firm.as.manager, 'GET', '/v1/psp/exceptions')
  expect(work.data).toMatchObject([{ reason: 'unannounced', reference: 'PAYMENT', repeats: 1 }])
  const close = (body: object) => call(firm.as.manager, 'POST', `/v1/psp/exceptions/${work.data[0].id}/close`, body)
  // closed for another reason, the payment stays nobody's
  expect((await close({ reason: 'given back' })).status).toBe(200)
  expect((await says(word)).body.code).toBe('psp.unknown_deposit')
  expect((await close({ reason: 'the bank shows whose it is', depositId: claim.id })).status).toBe(200)
  expect((await says(word)).body).toMatchObject({ outcome: 'applied', depositId: claim.id })
})

test('a dishonest colleague claims no payment with a cancelled deposit, by closing its exception, or after its booking', async () => {
  const { id, says } = await gateway()
  const [victim, mule] = [await firm.trader(), await firm.trader()]
  const word = { reference: 'PAYMENT', status: 'success' } as const
  const exception = async () => (await call(firm.as.manager, 'GET', '/v1/psp/exceptions')).body.data.at(-1).id
  const close = async (as: Caller, depositId?: string) =>
    call(as, 'POST', `/v1/psp/exceptions/${await exception()}/close`, {
      reason: 'done',
      ...(depositId && { depositId }),
    })
  await says(word)
  const { body: claim } = await announce(firm.as.manager, id, { traderId: mule, providerReference: 'PAYMENT' })
  expect((await close(firm.as.manager)).status).toBe(200)
  expect((await says(word)).body.code).toBe('psp.unknown_deposit')
  await call(firm.as.manager, 'POST', `/v1/deposits/${claim.id}/cancel`)
  expect((await says(word)).body.code).toBe('psp.unknown_deposit')
  const byHand = { traderId: victim, currency: 'EUR', amount: '50000', method: 'bank' }
  const { body: booked } = await call(firm.as.operator, 'POST', '/v1/deposits', byHand)
  await call(firm.as.owner, 'POST', `/v1/deposits/${booked.id}/settle`)
  expect((await close(firm.as.owner, booked.id)).status).toBe(200)
  expect((await says(word)).body.code).toBe('psp.reference_used')
  expect([await readAvailable(victim), await readAvailable(mule)]).toEqual(['50000.00', undefined])
})

test('a dishonest colleague who gives a payment’s reference to another client’s deposit keeps it from nobody', async () => {
  const { id, says } = await gateway()
  const [victim, mule] = [await firm.trader(), await firm.trader()]
  const { body: own } = await announce(await firm.traderSession(victim), id, {})
  const { body: claim } = await announce(firm.as.operator, id, { traderId: mule, providerReference: 'R-V' })
  expect((await says({ reference: 'R-V', status: 'success', depositId: own.id })).body.outcome).toBe('applied')
  expect([await readAvailable(victim), await readAvailable(mule)]).toEqual(['50000.00', undefined])
  const { body } = await call(firm.as.viewer, 'GET', `/v1/deposits/${claim.id}`)
  expect(body).toMatchObject({ status: 'pending', providerReference: null })
})

test('a dishonest colleague who cancels a deposit with a payment’s reference keeps the payment from nobody', async () => {
  const { id, says } = await gateway()
  const [victim, mule] = [await firm.trader(), await firm.trader()]
  const { body: own } = await announce(await firm.traderSession(victim), id, {})
  const { body: claim } = await announce(firm.as.operator, id, { traderId: mule, providerReference: 'R-V' })
  await call(firm.as.operator, 'POST', `/v1/deposits/${claim.id}/cancel`)
  expect((await says({ reference: 'R-V', status: 'success', depositId: own.id })).body.outcome).toBe('applied')
})

test('a dishonest colleague sends no money to an erased client, who could not claim it back', async () => {
  const { id, says } = await gateway()
  const gone = await firm.trader()
  const { body: late } = await announce(await firm.traderSession(gone), id, {})
  await call(firm.as.manager, 'POST', `/v1/deposits/${late.id}/fail`, { reason: 'nothing came' })
  const asked = { traderId: gone, currency: 'EUR', direction: 'credit', amount: '5', reason: 'owed' }
  const { body: waits } = await call(firm.as.manager, 'POST', '/v1/adjustments', asked)
  const remove = () => call(firm.as.manager, 'DELETE', `/v1/traders/${gone}`)
  expect((await remove()).body.detail).toContain('an adjustment that waits')
  await call(firm.as.owner, 'POST', `/v1/adjustments/${waits.id}/reject`, { reason: 'not owed' })
  expect((await remove()).status).toBe(204)
  app.clock.advance(31 * DAY)
  await purgeTraders.run({ platform: app.platform, signal: new AbortController().signal })
  expect(
    (await systemCtx(app.platform, firm.tenantId, 't').db.get(traders, gone, { withDeleted: true })).erasedAt,
  ).not.toBeNull()
  expect((await says({ reference: 'L', status: 'success', depositId: late.id })).body.code).toBe('psp.contradiction')
  expect(await readAvailable(gone)).not.toBe('50000.00')
})

test.each([
  ['disabling', (id: string) => call(firm.as.admin, 'PATCH', `/v1/users/${id}`, { status: 'disabled' })],
  ['demoting', (id: string) => call(firm.as.admin, 'PATCH', `/v1/users/${id}/roles`, { roles: ['viewer'] })],
  ['raising', (id: string) => call(firm.as.admin, 'PATCH', `/v1/users/${id}/roles`, { roles: ['admin'] })],
  ['striking', (id: string) => call(firm.as.admin, 'POST', `/v1/users/${id}/2fa/reset`)],
] as const)('a dishonest colleague who makes a firm small by %s a colleague gains no vote', async (_, strike) => {
  const { admin, owner, manager, operator } = firm.as
  await keepOnly(admin.id, owner.id, manager.id, operator.id)
  const factor = { passwordHash: 'x', totpEnabled: true }
  await behind((tx) => tx.insert(credentials, { userId: manager.id, ...factor, totpEnabledAt: tx.now }))
  const id = (await ask(await client(), '20000', admin)).body.id
  expect((await act(id, 'approve', owner)).body.status).toBe('requested')
  expect((await strike(manager.id)).status).toBe(200)
  expect((await act(id, 'approve', admin)).body.code).toBe('withdrawals.own_request')
})

test('a dishonest colleague could be the client of a lead that had their own address', async () => {
  const { body: lead } = await call(firm.as.manager, 'POST', '/v1/leads', {
    email: 'mana.ger+c@alpha.test',
    firstName: 'X',
  })
  const { traderId } = (await call(firm.as.operator, 'POST', `/v1/leads/${lead.id}/convert`)).body
  await behind((tx) => tx.update(traders, traderId, { kycLevel: 2 }))
  const deposit = { traderId, currency: 'EUR', amount: '9000', method: 'bank' }
  const { body } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
  await call(firm.as.owner, 'POST', `/v1/deposits/${body.id}/settle`)
  const destination = { kind: 'bank', reference: 'CY1' }
  const session = await firm.traderSession(traderId)
  const asked = await call(session, 'POST', '/v1/withdrawals', { currency: 'EUR', amount: '9000', destination })
  expect((await act(asked.body.id, 'approve', firm.as.manager)).body.code).toBe('own_client')
})

test('a dishonest colleague’s account is not theirs sooner after they disabled whoever could vouch', async () => {
  const { admin, owner, manager, operator } = firm.as
  await keepOnly(admin.id, owner.id, manager.id, operator.id)
  await behind((tx) => {
    tx.update(users, owner.id, { roles: ['admin'] })
    const factor = { passwordHash: 'x', totpEnabled: true, totpEnabledAt: tx.now }
    for (const userId of [owner.id, manager.id]) tx.insert(credentials, { userId, ...factor })
    tx.insert(accountActs, { userId: manager.id, byUserId: admin.id, act: 'invited' })
  })
  app.clock.advance(80 * HOUR)
  const alone = async () => (await call(admin, 'GET', `/v1/users/${manager.id}`)).body.independence.alone
  expect(await alone()).toBe(false)
  expect((await call(admin, 'POST', `/v1/users/${owner.id}/2fa/reset`)).status).toBe(200)
  expect(await alone()).toBe(false)
  app.clock.advance(72 * HOUR)
  expect(await alone()).toBe(true)
})

test('a dishonest colleague closes no exception for a client who they could be, and is involved in those they close', async () => {
  const { id, says } = await gateway()
  const mule = await firm.trader({ kycLevel: 2 })
  const word = { reference: 'PAYMENT', status: 'success' } as const
  await says(word)
  const { body: claim } = await announce(firm.as.operator, id, { traderId: mule, providerReference: 'PAYMENT' })
  const { body: work } = await call(firm.as.manager, 'GET', '/v1/psp/exceptions')
  const agree = (as: Caller) =>
    call(as, 'POST', `/v1/psp/exceptions/${work.data[0].id}/close`, { reason: 'seen', depositId: claim.id })
  await call(firm.as.admin, 'PATCH', `/v1/traders/${mule}`, { email: 'quiet@elsewhere.test' })
  expect((await agree(firm.as.admin)).body.code).toBe('own_client')
  expect((await agree(firm.as.manager)).status).toBe(200)
  expect((await says(word)).body.outcome).toBe('applied')
  const { body: asked } = await ask(mule, '9500', await firm.traderSession(mule))
  expect((await act(asked.id, 'approve', firm.as.manager)).body.status).toBe('requested')
})

test('a dishonest colleague needs another person to claim many unannounced payments, or one by their own rate', async () => {
  const { id, says } = await gateway()
  const mule = await firm.trader()
  const paid = async (reference: string, amount: string, currency: string) => {
    const word = { reference, status: 'success', amount, currency } as const
    expect((await says(word)).body.code).toBe('psp.unknown_deposit')
    await announce(firm.as.admin, id, { traderId: mule, providerReference: reference, amount, currency })
    return (await says(word)).body.outcome ?? null
  }
  expect(await paid('ONE', '9000.00', 'EUR')).toBe('applied')
  expect(await paid('TWO', '9000.00', 'EUR')).toBeNull()
  // payments that wait count, however old they are
  app.clock.advance(2 * DAY)
  expect((await says({ reference: 'TWO', status: 'success', amount: '9000.00', currency: 'EUR' })).body.outcome).toBe(
    'applied',
  )
  expect(await paid('FOUR', '9000.00', 'EUR')).toBeNull()
  app.clock.advance(2 * DAY)
  await call(firm.as.admin, 'POST', '/v1/fx/rates/upsert', { rates: [{ base: 'KWD', quote: 'EUR', rate: '0.01' }] })
  expect(await paid('THREE', '50000.000', 'KWD')).toBeNull()
})

test('a dishonest colleague who reads another’s link is noticed, even if a client has the same address', async () => {
  const address = 'manager@alpha.test'
  const twin = { email: address, firstName: 'X', lastName: 'Y' }
  const { body: client } = await call(firm.as.admin, 'POST', '/v1/traders', twin)
  await call(firm.as.admin, 'DELETE', `/v1/traders/${client.id}`)
  await app.call('POST', '/v1/auth/forgot', { body: { email: address } })
  const found = async () => (await call(firm.as.admin, 'GET', `/v1/mails?recipient=${address}`)).body.data
  // the mail is queued after the answer
  await until('the mail is there', async () => (await found()).length > 0)
  const { body: letter } = await call(firm.as.admin, 'GET', `/v1/mails/${(await found())[0].id}`)
  expect(letter.text).toMatch(/token=/)
  const { body: user } = await call(firm.as.owner, 'GET', `/v1/users/${firm.as.manager.id}`)
  expect(user.independence).toMatchObject({ alone: false })
})

test('a dishonest colleague who gives a lead their own address may not decide on the client made from it', async () => {
  const { body: lead } = await call(firm.as.operator, 'POST', '/v1/leads', { phone: '+35799123456', firstName: 'V' })
  await call(firm.as.manager, 'PATCH', `/v1/leads/${lead.id}`, { email: 'quiet.mailbox@elsewhere.test' })
  const { body: converted } = await call(firm.as.operator, 'POST', `/v1/leads/${lead.id}/convert`)
  const deposit = { traderId: converted.traderId, currency: 'EUR', amount: '100', method: 'bank' }
  const { body: announced } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
  expect((await call(firm.as.manager, 'POST', `/v1/deposits/${announced.id}/settle`)).body.code).toBe('own_client')
})

test('a dishonest colleague who changes a lead’s address may not decide on the client made from it', async () => {
  const contact = { email: 'victim@client.test', firstName: 'V', lastName: 'V' }
  const { body: lead } = await call(firm.as.operator, 'POST', '/v1/leads', contact)
  const email = 'quiet.mailbox@elsewhere.test'
  expect((await call(firm.as.manager, 'PATCH', `/v1/leads/${lead.id}`, { email })).status).toBe(200)
  const { body: converted } = await call(firm.as.operator, 'POST', `/v1/leads/${lead.id}/convert`)
  const deposit = { traderId: converted.traderId, currency: 'EUR', amount: '100', method: 'bank' }
  const { body: announced } = await call(firm.as.operator, 'POST', '/v1/deposits', deposit)
  expect((await call(firm.as.manager, 'POST', `/v1/deposits/${announced.id}/settle`)).body.code).toBe('own_client')
  expect((await call(firm.as.owner, 'POST', `/v1/deposits/${announced.id}/settle`)).status).toBe(200)
})
