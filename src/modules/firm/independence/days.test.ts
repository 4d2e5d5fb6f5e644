/** A day's work in firms of one, two and three people: what each does alone, whom they wait for, and how long. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { gatewayRequest } from '../../../testing/fakes/gateway.ts'

let app: TestApp
let firm: Firm
let count = 0
beforeAll(() => {
  app = createTestApp()
})
beforeEach(async () => {
  count += 1
  firm = await app.firm(`day${count}`)
})
afterAll(() => app.close())

const { ask, act, onlyThese, hitOn, onHit } = createDesk(() => ({ app, firm }))
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })
/** Returns what a refusal says about who can help, or when. */
const refused = ({ status, body }: Answer): [number, string] => [status, body.detail]

async function pays(amount: string): Promise<{ traderId: string; id: string }> {
  const traderId = await firm.trader({ kycLevel: 2 })
  const deposit = { currency: 'EUR', amount, method: 'bank' }
  const { body } = await call(await firm.traderSession(traderId), 'POST', '/v1/deposits', deposit)
  return { traderId, id: body.id }
}
const settle = (as: Caller, id: string) => call(as, 'POST', `/v1/deposits/${id}/settle`)
const approve = (as: Caller, id: string) => act(id, 'approve', as)
const pay = async (as: Caller, id: string) => {
  count += 1
  return (await act(id, 'pay', as, { paymentReference: `P${count}` })).body.status
}
const wants = async (traderId: string, amount: string): Promise<string> =>
  (await ask(traderId, amount, await firm.traderSession(traderId))).body.id
const rate = async (as: Caller, value: string, force = false) => {
  const rates = [{ base: 'EUR', quote: 'USD', rate: value }]
  const { body } = await call(as, 'POST', '/v1/fx/rates/upsert', { rates, ...(force && { force }) })
  return body.data[0].unconfirmed as boolean
}
/** Removes a gateway's maker; returns a deposit's state before, after, and with another person's new secret. */
async function leaver(who: Caller, by: Caller): Promise<string[]> {
  const made = await call(who, 'POST', '/v1/psp/connections', {
    name: 'CardPay',
    kind: 'generic',
    secret: 'what was typed once',
  })
  const hears = async (secret: string) => {
    const traderId = await firm.trader()
    const deposit = { currency: 'EUR', amount: '500', method: 'card', pspConnectionId: made.body.id }
    const { body } = await call(await firm.traderSession(traderId), 'POST', '/v1/deposits', deposit)
    count += 1
    const said = { depositId: body.id, status: 'success', amount: '500', currency: 'EUR', reference: `G${count}` }
    const path = `/v1/psp/${made.body.id}/callback`
    const request = gatewayRequest(`http://localhost${path}`, secret, { ...said, status: 'success' })
    await app.call('POST', path, { raw: await request.text(), headers: Object.fromEntries(request.headers) })
    return (await call(by, 'GET', `/v1/deposits/${body.id}`)).body.status as string
  }
  const states = [await hears('what was typed once')]
  expect((await call(by, 'DELETE', `/v1/users/${who.id}`)).status).toBe(204)
  states.push(await hears('what was typed once'))
  const renewed = await call(by, 'PATCH', `/v1/psp/connections/${made.body.id}`, {
    secret: 'what another person typed',
  })
  expect(renewed.status).toBe(200)
  return [...states, await hears('what another person typed')]
}

test('a firm of three does all its work on the same day', async () => {
  const { manager, admin, owner } = firm.as
  await onlyThese(manager, admin, owner)
  const small = await pays('9000')
  expect((await settle(manager, small.id)).body.status).toBe('settled')
  const large = await pays('20000')
  expect((await settle(manager, large.id)).status).toBe(202)
  expect((await settle(admin, large.id)).body.status).toBe('settled')

  const little = await wants(small.traderId, '900')
  expect((await approve(admin, little)).body.status).toBe('approved')
  expect(await pay(admin, little)).toBe('paid')
  const much = await wants(large.traderId, '15000')
  // who settled the deposit brought the money, and in so small a firm may give the second vote
  expect((await approve(owner, much)).body.status).toBe('requested')
  expect((await approve(admin, much)).body.status).toBe('approved')
  expect(await pay(manager, much)).toBe('paid')

  expect(await rate(admin, '1.10')).toBe(false)
  app.clock.advance(HOUR)
  expect([await rate(admin, '1.30'), await rate(owner, '1.30')]).toEqual([true, false])

  const hit = await hitOn(large.traderId)
  expect((await onHit(manager, hit, 'confirm')).status).toBe(200)
  expect(refused(await onHit(manager, hit, 'clear'))).toEqual([409, expect.stringContaining('another manager')])
  expect((await onHit(admin, hit, 'clear')).status).toBe(202)
  expect((await onHit(owner, hit, 'clear')).body.status).toBe('cleared')

  expect(await leaver(admin, owner)).toEqual(['settled', 'pending', 'settled'])
})

test('a firm of two does all its work on the same day', async () => {
  const { admin, owner, operator } = firm.as
  await onlyThese(admin, owner, operator)
  const small = await pays('9000')
  expect((await settle(admin, small.id)).body.status).toBe('settled')
  const large = await pays('20000')
  expect((await settle(admin, large.id)).status).toBe(202)
  expect((await settle(owner, large.id)).body.status).toBe('settled')

  const little = await wants(small.traderId, '900')
  expect((await approve(owner, little)).body.status).toBe('approved')
  expect(await pay(owner, little)).toBe('paid')
  const much = await wants(large.traderId, '15000')
  expect((await approve(owner, much)).body.status).toBe('requested')
  expect((await approve(admin, much)).body.status).toBe('approved')
  expect(await pay(owner, much)).toBe('paid')

  expect(await rate(admin, '1.10')).toBe(false)
  app.clock.advance(HOUR)
  expect([await rate(admin, '1.30'), await rate(owner, '1.30')]).toEqual([true, false])

  const hit = await hitOn(large.traderId)
  expect((await onHit(admin, hit, 'confirm')).status).toBe(200)
  expect((await onHit(owner, hit, 'clear')).status).toBe(202)
  expect((await onHit(admin, hit, 'clear')).body.status).toBe('cleared')

  expect(await leaver(admin, owner)).toEqual(['settled', 'pending', 'settled'])
})

test('a firm of one does what is below the threshold, and waits an hour for a rate and twice 72 hours for a match', async () => {
  const { owner, operator } = firm.as
  await onlyThese(owner, operator)
  const small = await pays('9000')
  expect((await settle(owner, small.id)).body.status).toBe('settled')
  const little = await wants(small.traderId, '900')
  expect((await approve(owner, little)).body.status).toBe('approved')
  expect(await pay(owner, little)).toBe('paid')

  // large amounts, and a tenth of the threshold for money that they settled, need a colleague, or an owner who raises
  // the threshold for later requests
  const large = await pays('20000')
  expect((await settle(owner, large.id)).status).toBe(202)
  expect(refused(await settle(owner, large.id))).toEqual([409, expect.stringContaining('raise the threshold')])
  const policy = { currency: 'EUR', threshold: '200000', minKycLevel: 1 }
  expect((await call(owner, 'PUT', '/v1/approval-policies', policy)).status).toBe(200)
  expect((await settle(owner, large.id)).body.status).toBe('settled')
  const much = await wants(large.traderId, '15000')
  expect((await approve(owner, much)).body.status).toBe('approved')
  expect(await pay(owner, much)).toBe('paid')

  expect(await rate(owner, '1.10')).toBe(false)
  app.clock.advance(HOUR)
  expect([await rate(owner, '1.30'), await rate(owner, '1.30', true)]).toEqual([true, true])
  app.clock.advance(HOUR)
  expect(await rate(owner, '1.30', true)).toBe(false)

  const hit = await hitOn(large.traderId)
  expect((await onHit(owner, hit, 'confirm')).status).toBe(200)
  expect(refused(await onHit(owner, hit, 'clear'))).toEqual([409, expect.stringContaining('from 2026-')])
  app.clock.advance(72 * HOUR)
  expect((await onHit(owner, hit, 'clear')).status).toBe(202)
  app.clock.advance(72 * HOUR)
  expect((await onHit(owner, hit, 'clear')).body.status).toBe('cleared')

  expect((await call(owner, 'DELETE', `/v1/users/${operator.id}`)).status).toBe(204)
})
