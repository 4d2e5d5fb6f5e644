import { afterAll, beforeAll, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'

let app: TestApp
let firm: Firm
const { client, ask, act } = createDesk(() => ({ app, firm }))

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

test('after a merge, a destination that both clients had counts as entered by the authors of both', async () => {
  const { manager, admin, owner } = firm.as
  const [primary, secondary] = [await client(), await client()]
  const destination = { kind: 'bank', holder: 'Test', reference: 'CY17 0020 77' }
  for (const [traderId, as] of [
    [primary, manager],
    [secondary, admin],
  ] as const)
    expect((await ask(traderId, '10', as, { destination })).status).toBe(201)
  const merged = { primaryId: primary, secondaryId: secondary }
  expect((await app.call('POST', '/v1/admin/traders/merge', { as: owner, body: merged })).status).toBe(200)
  app.clock.advance(73 * HOUR)
  const { body } = await ask(primary, '20', firm.as.operator, { destination })
  for (const as of [manager, admin]) {
    const refused = await act(body.id, 'approve', as)
    expect([refused.status, refused.body.code]).toEqual([403, 'withdrawals.own_destination'])
  }
  const { review } = (await app.call('GET', `/v1/withdrawals/${body.id}`, { as: manager })).body
  const age = review.checks.find(({ name }: { name: string }) => name === 'destination_age')
  expect(age.text).toContain('manager of alpha, admin of alpha')
})
