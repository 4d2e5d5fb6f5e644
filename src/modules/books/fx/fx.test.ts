import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const set = (rates: object[], extra: object = {}, as = firm.as.admin) =>
  app.call('POST', '/v1/fx/rates/upsert', { as, body: { rates, ...extra } })
const convert = (query: string, of: Firm = firm) => app.call('GET', `/v1/fx/convert?${query}`, { as: of.as.viewer })

describe('rates', () => {
  test('rates of a firm precede those of the pool, which apply again after a removal; old rates are kept', async () => {
    expect(
      (await set([{ base: 'EUR', quote: 'USD', rate: '1.10' }], { global: true }, firm.as.platform_admin)).status,
    ).toBe(200)
    expect((await convert('amount=100&base=EUR&quote=USD')).body).toMatchObject({
      result: '110.00',
      pool: 'global',
      via: 'direct',
    })
    firm.effects()
    const own = await set([{ base: 'EUR', quote: 'USD', rate: '1.15', source: 'desk' }])
    expect(own.status).toBe(200)
    expect(firm.effects()).toEqual({ events: [], actions: ['fx.upsert'] })
    expect((await convert('amount=100&base=EUR&quote=USD')).body).toMatchObject({
      result: '115.00',
      pool: 'tenant',
      source: 'desk',
    })
    expect((await convert('amount=100&base=EUR&quote=USD', other)).body.result).toBe('110.00')
    const again = await set([{ base: 'EUR', quote: 'USD', rate: '1.14' }])
    expect(firm.effects().actions).toEqual(['fx.supersede', 'fx.upsert'])
    expect(app.platform.reader.all('SELECT 1 FROM fx_rates WHERE tenant_id = ?', [firm.tenantId])).toHaveLength(2)
    const { id } = again.body.data[0]
    expect((await app.call('DELETE', `/v1/fx/rates/${id}`, { as: other.as.admin })).status).toBe(404)
    expect((await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })).status).toBe(204)
    expect((await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })).status).toBe(404)
    expect((await convert('amount=100&base=EUR&quote=USD')).body.result).toBe('110.00')
  })

  test('a pair without a rate gets the inverse one, else the one through USD, exactly, with its age', async () => {
    await set([{ base: 'GBP', quote: 'USD', rate: '1.25' }], { global: true }, firm.as.platform_admin)
    expect((await convert('amount=125&base=USD&quote=GBP')).body).toMatchObject({
      result: '100.00',
      via: 'inverse',
      rate: '0.8',
      ageSeconds: 0,
    })
    const asOf = new Date(app.clock.now()).toISOString()
    app.clock.advance(HOUR + 900)
    const pivot = await convert('amount=100&base=EUR&quote=GBP')
    expect(pivot.body).toMatchObject({ result: '88.00', via: 'pivot', rate: '0.88', asOf, ageSeconds: 3600 })
    expect(pivot.body.rateIds).toHaveLength(2)
    expect((await convert('amount=0.05&base=EUR&quote=USD')).body.result).toBe('0.05')
    expect((await convert('amount=100&base=EUR&quote=EUR')).body).toMatchObject({
      result: '100.00',
      via: 'same',
      rateIds: [],
      asOf: null,
      ageSeconds: null,
    })
  })

  test('a pair without any rate is a 422 fx_rate_missing; a wrong field is a 422 that names it', async () => {
    const missing = await convert('amount=100&base=EUR&quote=PLN')
    expect([missing.status, missing.body.code]).toEqual([422, 'fx_rate_missing'])
    for (const [rate, path] of [
      [{ base: 'EUR', quote: 'EUR', rate: 1 }, 'rates.0.quote'],
      [{ base: 'EUR', quote: 'QQQ', rate: 1 }, 'rates.0.quote'],
      [{ base: 'EUR', quote: 'PLN', rate: 0 }, 'rates.0.rate'],
      [{ base: 'EUR', quote: 'PLN', rate: '0.000' }, 'rates.0.rate'],
      [{ base: 'EUR', quote: 'PLN', rate: -4 }, 'rates.0.rate'],
    ] as const) {
      const answer = await set([rate])
      expect(answer.status).toBe(422)
      expect(answer.body.errors[0].path).toBe(path)
    }
  })

  test('rates as JSON numbers keep their digits, small ones too', async () => {
    await set([{ base: 'JPY', quote: 'BTC', rate: 1.25e-7 }])
    const { body } = await app.call('GET', '/v1/fx/rates', { as: firm.as.viewer })
    expect(body.data.find((row: { base: string }) => row.base === 'JPY').rate).toBe('0.000000125')
  })

  test('rates are read by a viewer and written by an admin; the platform administrator writes the pool', async () => {
    expect((await set([{ base: 'EUR', quote: 'CHF', rate: 1 }], {}, firm.as.manager)).status).toBe(403)
    expect((await set([{ base: 'EUR', quote: 'CHF', rate: 1 }], { global: true }, firm.as.owner)).status).toBe(403)
    expect(
      (
        await app.call('POST', '/v1/admin/fx-rates', {
          as: firm.as.owner,
          body: { base: 'EUR', quote: 'CHF', rate: 1 },
        })
      ).status,
    ).toBe(403)
    expect((await app.call('GET', '/v1/admin/fx-rates', { as: firm.as.viewer })).status).toBe(200)
  })
})

test('POST /v1/admin/fx-rates writes the same row and answers the same as the upsert with global', async () => {
  const strip = ({ id: _, ...row }: { id: string }) => row
  const single = await app.call('POST', '/v1/admin/fx-rates', {
    as: firm.as.platform_admin,
    body: { base: 'USD', quote: 'CHF', rate: 0.91 },
  })
  const first = app.platform.reader.get<{ id: string }>(
    "SELECT * FROM fx_global_rates WHERE base = 'USD' AND quote = 'CHF' AND current = 1",
  )
  const many = await set([{ base: 'USD', quote: 'CHF', rate: 0.91 }], { global: true }, firm.as.platform_admin)
  const second = app.platform.reader.get<{ id: string }>(
    "SELECT * FROM fx_global_rates WHERE base = 'USD' AND quote = 'CHF' AND current = 1",
  )
  expect([single.status, many.status]).toEqual([200, 200])
  expect(single.body.data.map(strip)).toEqual(many.body.data.map(strip))
  expect(first && strip(first)).toEqual(second && strip(second))
  expect(firm.effects().actions.slice(-2)).toEqual(['fx.upsert_global', 'fx.upsert_global'])
})
