import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { ratioText } from './fx.lookup.ts'
import { quoteAt } from './fx.quote-at.ts'

let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('acme')
})
afterAll(() => app.close())

const rate = (base: string, quote: string, value: string, global = false) =>
  app.call('POST', '/v1/fx/rates/upsert', {
    as: global ? firm.as.platform_admin : firm.as.owner,
    body: { rates: [{ base, quote, rate: value }], ...(global && { global }), force: true },
  })
const at = (base: string, quote: string, time: number): string | undefined => {
  const quoted = quoteAt(systemCtx(app.platform, firm.tenantId, 'test').db, base, quote, time)
  return quoted && ratioText(quoted.ratio)
}

test('a moment’s rate is the firm’s of that time, else the pool’s; it may be inverted, go through the pivot, or be missing', async () => {
  const start = app.clock.now()
  await rate('EUR', 'USD', '1.10', true)
  app.clock.advance(DAY)
  await rate('EUR', 'USD', '1.12')
  await rate('GBP', 'USD', '1.28')
  app.clock.advance(DAY)
  await rate('EUR', 'USD', '1.14')
  const { body } = await app.call('GET', '/v1/fx/rates', { as: firm.as.owner })
  const own = body.data.find((row: { base: string; pool?: string }) => row.base === 'EUR')
  app.clock.advance(DAY)
  await app.call('DELETE', `/v1/fx/rates/${own.id}`, { as: firm.as.owner })
  app.clock.advance(DAY)

  expect(at('EUR', 'USD', start - 1)).toBeUndefined()
  expect(at('EUR', 'USD', start)).toBe('1.1')
  expect(at('EUR', 'USD', start + DAY - 1)).toBe('1.1')
  expect(at('EUR', 'USD', start + DAY)).toBe('1.12')
  expect(at('EUR', 'USD', start + 2 * DAY)).toBe('1.14')
  // after the removal the pool's rate applies again
  expect(at('EUR', 'USD', start + 3 * DAY - 1)).toBe('1.14')
  expect(at('EUR', 'USD', start + 3 * DAY)).toBe('1.1')
  expect(at('USD', 'EUR', start + DAY)).toBe('0.892857142857142857')
  expect(at('GBP', 'EUR', start + DAY)).toBe('1.142857142857142857')
  expect(at('GBP', 'EUR', start + DAY - 1)).toBeUndefined()
  expect(at('GBP', 'GBP', 0)).toBe('1')
})
