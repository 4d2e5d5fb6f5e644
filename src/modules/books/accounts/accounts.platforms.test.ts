import { afterAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp } from '../../../testing/app.ts'
import { isPlatformUsed } from './accounts.platforms.ts'

const app = createTestApp()
afterAll(() => app.close())

test('a platform counts as used while an account of the same firm is on it', async () => {
  const firm = await app.firm('nu')
  const other = await app.firm('xi')
  const traderId = await firm.trader()
  const body = { traderId, platform: 'terminal4', accountNumber: '77', currency: 'EUR' }
  expect((await app.call('POST', '/v1/accounts', { as: firm.as.manager, body })).status).toBe(201)
  const openReader = ({ tenantId }: { tenantId: string }) => systemCtx(app.platform, tenantId, 'test').db
  expect(isPlatformUsed(openReader(firm), 'terminal4')).toBe(true)
  expect(isPlatformUsed(openReader(firm), 'terminal5')).toBe(false)
  expect(isPlatformUsed(openReader(other), 'terminal4')).toBe(false)
})
