import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type GatewayCallback, gatewayRequest } from '../../../testing/fakes/gateway.ts'

const secret = 'what the leaver typed once'
let app: TestApp
let firm: Firm
let traderId: string

beforeAll(() => {
  app = createTestApp()
})
// a disabled colleague is signed out, so each test has its own colleagues
let firms = 0
beforeEach(async () => {
  firms += 1
  firm = await app.firm(`firm${firms}`)
  traderId = await firm.trader()
})
afterAll(() => app.close())

const connect = async (as: Caller) => {
  const body = { name: 'CardPay', kind: 'generic', secret }
  return (await app.call('POST', '/v1/psp/connections', { as, body })).body
}
const replace = (id: string, entered: string, as: Caller) =>
  app.call('PATCH', `/v1/psp/connections/${id}`, { as, body: { secret: entered } })
const status = (as: Caller, value: string) =>
  app.call('PATCH', `/v1/users/${as.id}`, { as: firm.as.owner, body: { status: value } })

const announce = async (pspConnectionId: string) => {
  const body = { traderId, currency: 'EUR', amount: '9000', method: 'card', pspConnectionId }
  return (await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).body.id as string
}
const say = async (to: string, told: GatewayCallback, key = secret) => {
  const body = { amount: '9000.00', currency: 'EUR', ...told }
  const request = gatewayRequest(`http://localhost/v1/psp/${to}/callback`, key, body)
  return app.call('POST', `/v1/psp/${to}/callback`, {
    raw: await request.text(),
    headers: Object.fromEntries(request.headers),
  })
}
const readDepositStatus = async (id: string) =>
  (await app.call('GET', `/v1/deposits/${id}`, { as: firm.as.manager })).body.status as string
const readGateway = async (id: string) => {
  const { body } = await app.call('GET', '/v1/psp/connections', { as: firm.as.owner })
  return body.data.find((one: { id: string }) => one.id === id)
}
const listExceptions = async (id: string) =>
  (await app.call('GET', `/v1/psp/exceptions?depositId=${id}`, { as: firm.as.manager })).body.data

test('a callback signed with a leaver’s secret is stored, and applied only after another person entered a new secret', async () => {
  const gateway = await connect(firm.as.admin)
  const enteredAt = new Date(app.clock.now()).toISOString()
  expect(gateway).toMatchObject({ secretBy: firm.as.admin.id, secretAt: enteredAt, standsStill: false })
  const depositId = await announce(gateway.id)
  expect((await status(firm.as.admin, 'disabled')).status).toBe(200)
  expect(await readGateway(gateway.id)).toMatchObject({ secretBy: firm.as.admin.id, standsStill: true })
  firm.effects()
  const told = { reference: 'left-1', depositId, status: 'success' } as const
  const answer = await say(gateway.id, told)
  expect([answer.status, answer.body.code]).toEqual([409, 'psp.secret_left'])
  expect(answer.body.detail).toContain('administrator')
  for (const status of ['failed', 'processing'] as const)
    expect((await say(gateway.id, { ...told, status })).body.code).toBe('psp.secret_left')
  expect((await say(gateway.id, { reference: 'left-2', depositId: 'dep_none', status: 'success' })).body.code).toBe(
    'psp.secret_left',
  )
  expect(firm.effects().events).toEqual([])
  expect(await readDepositStatus(depositId)).toBe('pending')
  expect((await listExceptions(depositId)).map(({ reason, status }: never) => [reason, status])).toEqual([
    ['secret_left', 'failed'],
    ['secret_left', 'success'],
  ])
  // the leaver would still know the same secret
  const same = await replace(gateway.id, secret, firm.as.owner)
  expect([same.status, same.body.errors[0].path]).toEqual([422, 'secret'])
  app.clock.advance(1000)
  const renewed = await replace(gateway.id, 'entered by the owner instead', firm.as.owner)
  expect(renewed.body).toMatchObject({ secretBy: firm.as.owner.id, standsStill: false })
  expect(renewed.body.secretAt > enteredAt).toBe(true)
  expect((await say(gateway.id, told)).status).toBe(401)
  expect((await say(gateway.id, told, 'entered by the owner instead')).body.outcome).toBe('applied')
  expect(await readDepositStatus(depositId)).toBe('settled')
})

test('callbacks are applied again after the author of the secret is enabled, and not after the author is deleted', async () => {
  const gateway = await connect(firm.as.admin)
  const [first, second] = [await announce(gateway.id), await announce(gateway.id)]
  await status(firm.as.admin, 'disabled')
  expect((await say(gateway.id, { reference: 'back-1', depositId: first, status: 'success' })).status).toBe(409)
  await status(firm.as.admin, 'active')
  expect((await say(gateway.id, { reference: 'back-1', depositId: first, status: 'success' })).body.outcome).toBe(
    'applied',
  )
  expect((await app.call('DELETE', `/v1/users/${firm.as.admin.id}`, { as: firm.as.owner })).status).toBe(204)
  expect((await say(gateway.id, { reference: 'back-2', depositId: second, status: 'success' })).body.code).toBe(
    'psp.secret_left',
  )
  expect(await readDepositStatus(second)).toBe('pending')
})
