import { afterAll, expect, test } from 'bun:test'
import { createTestApp } from '../../../testing/app.ts'

const app = createTestApp()
afterAll(() => app.close())

test('a key sees only the counts that its scopes allow', async () => {
  const firm = await app.firm('scopes')
  const { body } = await app.call('GET', '/v1/admin/notifications/summary', {
    as: await firm.key(['traders:read', 'deposits:read']),
  })
  const told = Object.entries(body).filter(([, count]) => count !== null)
  expect(told.map(([name]) => name)).toEqual(['pendingDeposits'])
})
