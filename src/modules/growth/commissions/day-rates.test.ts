import { expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp } from '../../../testing/app.ts'
import { ratioText } from '../../books/fx/fx.lookup.ts'
import { createDayRates } from './day-rates.ts'

test('the rate of a day is that of its last millisecond in the firm’s time zone', async () => {
  const app = createTestApp()
  const firm = await app.firm('alpha')
  const midnight = Date.UTC(2026, 0, 20, 23)
  for (const [at, rate] of [
    [midnight - 60_000, '1.1'],
    [midnight - 1, '1.11'],
    [midnight, '1.12'],
  ] as const) {
    app.clock.set(at)
    const rates = [{ base: 'EUR', quote: 'USD', rate }]
    await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.admin, body: { rates } })
  }
  const { at } = createDayRates(systemCtx(app.platform, firm.tenantId, 'test').db, 'Europe/Berlin')
  const rateAt = (moment: number): string => ratioText(at(moment)('EUR', 'USD').ratio)
  expect([midnight - 1, midnight, midnight - 30_000].map(rateAt)).toEqual(['1.11', '1.12', '1.11'])
  expect(ratioText(at(midnight)('EUR', 'EUR').ratio)).toBe('1')
  await app.close()
})
