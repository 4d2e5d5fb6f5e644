import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createPastPrices } from './fx.history.ts'
import { ratioText } from './fx.lookup.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const set = async (base: string, quote: string, rate: string, global = false): Promise<string> => {
  const as = global ? firm.as.platform_admin : firm.as.admin
  const body = { rates: [{ base, quote, rate }], ...(global && { global }) }
  return (await app.call('POST', '/v1/fx/rates/upsert', { as, body })).body.data[0].id
}
const remove = async (id: string) =>
  expect((await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })).status).toBe(204)
const past = (now: number) => createPastPrices(systemCtx(app.platform, firm.tenantId, 'test').db, 'tenant', now)
const dollars = (of: string, by: ReturnType<typeof past>): string | undefined => {
  const price = by.price(of, 'USD')
  return price && ratioText(price)
}

test('the rate of 24 hours ago is the firm’s from its first moment, and the pool’s from the moment it ended', async () => {
  await set('EUR', 'USD', '1', true)
  app.clock.advance(DAY)
  const began = app.clock.now()
  const id = await set('EUR', 'USD', '1.04')
  app.clock.advance(DAY)
  const ended = app.clock.now()
  await remove(id)
  const prices = [began - 1, began, ended - 1, ended].map((at) => dollars('EUR', past(at + DAY)))
  expect(prices).toEqual(['1', '1.04', '1.04', '1'])
})

test('a currency without a mid then has the last ended mid, else one through another currency, else the first since', async () => {
  await set('EUR', 'USD', '1')
  const ended = [await set('ZAR', 'EUR', '0.05'), await set('SEK', 'USD', '0.1'), await set('SEK', 'EUR', '0.104')]
  app.clock.advance(DAY)
  for (const id of ended) await remove(id)
  app.clock.advance(2 * DAY)
  await set('ZAR', 'USD', '0.051')
  await set('MXN', 'EUR', '0.05')
  app.clock.advance(HOUR)
  const prices = past(app.clock.now())
  expect(['ZAR', 'SEK', 'MXN'].map((of) => dollars(of, prices))).toEqual(['0.05', '0.1', '0.05'])
  // a mid that is set meanwhile becomes the price of the currency
  await set('MXN', 'USD', '0.052')
  prices.add({ base: 'MXN', quote: 'USD' })
  expect(dollars('MXN', prices)).toBe('0.052')
})
