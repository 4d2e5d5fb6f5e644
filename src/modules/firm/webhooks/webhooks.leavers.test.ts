import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../testing/fakes/webhook-receiver.ts'
import { deliverWebhooks } from './webhooks.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
let receiver: WebhookReceiver
let firms = 0
let clients = 0

beforeAll(() => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
})
beforeEach(async () => {
  firms += 1
  firm = await app.firm(`firm${firms}`)
  other = await app.firm(`other${firms}`)
  receiver = startWebhookReceiver()
})
afterEach(() => receiver.stop())
afterAll(() => app.close())

const at = (id: string, act = ''): string => `/v1/webhooks/subscriptions/${id}${act}`
const subscribe = async (as: Caller) => {
  const body = { url: `${receiver.url}/hook`, events: ['trader.created'] }
  return (await app.call('POST', at('').slice(0, -1), { as, body })).body
}
const disable = (who: Caller) =>
  app.call('PATCH', `/v1/users/${who.id}`, { as: firm.as.platform_admin, body: { status: 'disabled' } })
const happen = async (): Promise<number> => {
  clients += 1
  await app.call('POST', '/v1/traders', {
    as: firm.as.operator,
    body: { email: `left${clients}@x.test`, firstName: 'Left' },
  })
  await deliverWebhooks.run({ platform: app.platform, signal: new AbortController().signal })
  return receiver.received.length
}
const confirm = (id: string, as: Caller) => app.call('POST', at(id, '/confirm'), { as })
const shown = async (id: string) => (await app.call('GET', at(id), { as: firm.as.owner })).body

test('a leaver’s receiver pauses until another person confirms it; missed events are recovered', async () => {
  const { id, madeBy, standsStill } = await subscribe(firm.as.admin)
  expect([madeBy, standsStill]).toEqual([firm.as.admin.id, false])
  expect(await happen()).toBe(1)
  expect((await confirm(id, firm.as.owner)).body.code).toBe('webhooks.not_standing')
  const before = app.platform.reader.get<{ n: number }>('SELECT max(sequence) AS n FROM events WHERE tenant_id = ?', [
    firm.tenantId,
  ])
  await disable(firm.as.admin)
  expect(await happen()).toBe(1)
  expect(await shown(id)).toMatchObject({ status: 'active', standsStill: true })
  for (const [act, body] of [
    ['/test', undefined],
    ['/recover', { after: 0 }],
  ] as const) {
    const answer = await app.call('POST', at(id, act), { as: firm.as.owner, body })
    expect([answer.status, answer.body.code]).toEqual([409, 'webhooks.stands_still'])
  }
  expect((await confirm(id, firm.as.manager)).status).toBe(403)
  expect((await confirm(id, other.as.owner)).status).toBe(404)
  firm.effects()
  expect((await confirm(id, firm.as.owner)).body).toMatchObject({ madeBy: firm.as.admin.id, standsStill: false })
  expect(firm.effects()).toEqual({ events: [], actions: ['webhook.confirm'] })
  const recovered = await app.call('POST', at(id, '/recover'), { as: firm.as.owner, body: { after: before?.n } })
  expect(recovered.body).toEqual({ queued: 1 })
  expect(await happen()).toBe(3)
})

test('a colleague who changed a receiver counts like its maker, and may not confirm it', async () => {
  const { id } = await subscribe(firm.as.admin)
  const change = { as: firm.as.owner, body: { events: ['trader.created', 'trader.updated'] } }
  expect((await app.call('PATCH', at(id), change)).body.changedBy).toBe(firm.as.owner.id)
  expect((await app.call('DELETE', `/v1/users/${firm.as.admin.id}`, { as: firm.as.platform_admin })).status).toBe(204)
  expect((await confirm(id, firm.as.owner)).body.code).toBe('webhooks.yours')
  expect((await confirm(id, firm.as.platform_admin)).status).toBe(200)
  // the confirmation does not cover a person who changes the receiver later
  const rotated = await app.call('POST', at(id, '/rotate-secret'), { as: firm.as.owner, body: {} })
  expect(rotated.body).toMatchObject({ changedBy: firm.as.owner.id, standsStill: false })
  await app.call('PATCH', `/v1/users/${firm.as.manager.id}/roles`, {
    as: firm.as.platform_admin,
    body: { roles: ['owner'] },
  })
  await disable(firm.as.owner)
  expect(await happen()).toBe(0)
  expect((await app.call('GET', at(id), { as: firm.as.platform_admin })).body.standsStill).toBe(true)
})
