import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
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
const mine = async (as: Caller) => (await app.call('GET', '/v1/admin/notifications/mine', { as })).body
const listIds = async (as: Caller): Promise<string[]> => (await mine(as)).data.map(({ id }: { id: string }) => id)
const ok = async (method: string, path: string, as: Caller, body: object) => {
  const answer = await app.call(method, path, { as, body })
  expect([200, 201]).toContain(answer.status)
  return answer.body
}

test('waiting tickets and leads are listed for their assignees', async () => {
  const { operator, manager, admin } = firm.as
  const traderId = await firm.trader({ firstName: 'Ada', lastName: 'Example' })
  const ticket = await ok('POST', '/v1/support/tickets', operator, { traderId, subject: 'Help', body: 'It broke.' })
  const lead = await ok('POST', '/v1/leads', operator, { firstName: 'Lee', email: 'lee@leads.test' })
  expect(await listIds(operator)).toEqual([])
  await ok('PATCH', `/v1/support/tickets/${ticket.id}`, admin, { assignedTo: operator.id })
  await ok('PATCH', `/v1/leads/${lead.id}`, admin, { assignedTo: operator.id })
  const { data, isMore } = await mine(operator)
  expect(data).toMatchObject([
    { kind: 'ticket', id: ticket.id, title: 'Help', name: 'Ada Example', amount: null },
    { kind: 'lead', id: lead.id, title: 'Lee', name: null },
  ])
  expect(isMore).toBe(false)
  expect(await listIds(manager)).toEqual([])
  expect(await listIds(other.as.operator)).toEqual([])
  await ok('PATCH', `/v1/leads/${lead.id}`, operator, { status: 'contacted' })
  expect(await listIds(operator)).toEqual([ticket.id])
  // a key sees the kinds of its scopes
  const key = await firm.key(['traders:read', 'leads:read'], 'operator')
  expect(await listIds(key)).toEqual([])
  expect(await listIds(await firm.key(['traders:read', 'support:read'], 'operator'))).toEqual([ticket.id])
})

test('withdrawals are listed for managers who neither requested nor approved them', async () => {
  const { manager, admin, operator } = firm.as
  const traderId = await client()
  const byManager = (await ask(traderId, '30', manager)).body.id
  const large = (await ask(traderId, '12000', operator)).body.id
  expect(await listIds(manager)).toEqual([large])
  expect((await listIds(admin)).toSorted()).toEqual([byManager, large].toSorted())
  expect((await mine(manager)).data).toMatchObject([{ kind: 'withdrawal', amount: '12000.00', currency: 'EUR' }])
  expect(await listIds(operator)).not.toContain(large)
  expect((await act(large, 'approve', manager)).body.status).toBe('requested')
  expect(await listIds(manager)).toEqual([])
  expect(await listIds(admin)).toContain(large)
  // the second approval did not come in time, so the first one must be given again
  app.clock.advance(73 * HOUR)
  expect(await listIds(manager)).toEqual([large])
})

test('twenty rows of each kind are listed, and the answer says that there are more', async () => {
  const { operator, admin } = other.as
  for (let index = 0; index < 21; index++)
    await ok('POST', '/v1/leads', admin, { email: `n${index}@leads.test`, assignedTo: operator.id })
  const { data, isMore } = await mine(operator)
  expect([data.length, isMore]).toEqual([20, true])
})
