import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { ratioText } from './fx.lookup.ts'
import { quoteAt } from './fx.quote-at.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('acme')
})
afterEach(() => app.close())

const at = (month: number, day: number, hour = 12) => Date.UTC(2026, month - 1, day, hour)
const enter = async (base: string, quote: string, rate: string, since?: string) => {
  const body = { rates: [{ base, quote, rate, ...(since && { since }) }] }
  const answer = await app.call('POST', '/v1/fx/rates/upsert', { as: firm.as.admin, body })
  return { status: answer.status, id: answer.body.data?.[0]?.id, path: answer.body.errors?.[0]?.path }
}
const remove = async (id: string) => (await app.call('DELETE', `/v1/fx/rates/${id}`, { as: firm.as.admin })).status
const worth = (base: string, quote: string, time: number): string | undefined => {
  const found = quoteAt(systemCtx(app.platform, firm.tenantId, 'test').db, base, quote, time)
  return found && ratioText(found.ratio)
}

describe('a rate for past days', () => {
  test('a rate for past days is accepted if an earlier rate applied until its first day began', async () => {
    app.clock.set(at(2, 3))
    const { id } = await enter('ZAR', 'EUR', '0.05')
    app.clock.set(at(2, 5, 0))
    expect(await remove(id)).toBe(204)
    app.clock.set(at(3, 1))
    const past = await enter('ZAR', 'EUR', '0.06', '2026-02-05')
    expect([past.status, await remove(past.id)]).toEqual([200, 204])
  })

  test('a rate for past days is refused for a day on which another one applied for a minute', async () => {
    app.clock.set(at(2, 9))
    const { id } = await enter('ZAR', 'EUR', '0.05')
    app.clock.set(at(2, 10, 0) + MINUTE)
    expect(await remove(id)).toBe(204)
    app.clock.set(at(2, 11, 8))
    const short = await enter('EUR', 'ZAR', '20')
    app.clock.advance(MINUTE)
    expect(await remove(short.id)).toBe(204)
    app.clock.set(at(2, 13))
    for (const since of ['2026-02-09', '2026-02-10', '2026-02-11'])
      expect(await enter('ZAR', 'EUR', '50', since)).toMatchObject({ status: 422, path: 'rates.0.since' })
    expect((await enter('ZAR', 'EUR', '0.06', '2026-02-12')).status).toBe(200)
  })

  test('a later rate for past days, or a second combination of rates, changes no earlier result', async () => {
    app.clock.set(at(1, 20))
    await enter('EUR', 'USD', '2')
    app.clock.set(at(3, 1))
    await enter('ZAR', 'USD', '0.1', '2026-02-01')
    expect(worth('ZAR', 'EUR', at(2, 10))).toBe('0.05')
    expect((await enter('USD', 'EUR', '0.4', '2026-01-15')).status).toBe(200)
    expect(worth('ZAR', 'EUR', at(2, 10))).toBe('0.05')
    // that day has no rate, but later days have
    expect((await enter('ZAR', 'EUR', '50', '2026-01-15')).status).toBe(200)
    expect([worth('ZAR', 'EUR', at(1, 16)), worth('ZAR', 'EUR', at(2, 10))]).toEqual(['50', '0.05'])
    expect(worth('EUR', 'ZAR', at(2, 10))).toBe('20')
  })

  test('rates for past days give the same result in both directions', async () => {
    app.clock.set(at(3, 1))
    await enter('GBP', 'EUR', '4', '2026-02-10')
    app.clock.advance(MINUTE)
    expect((await enter('EUR', 'GBP', '4', '2026-02-05')).status).toBe(200)
    expect([worth('GBP', 'EUR', at(2, 12)), worth('EUR', 'GBP', at(2, 12))]).toEqual(['4', '0.25'])
    expect([worth('GBP', 'EUR', at(2, 7)), worth('EUR', 'GBP', at(2, 7))]).toEqual(['0.25', '4'])
  })

  test('a rate for past days is not removed while another one would replace it', async () => {
    app.clock.set(at(3, 1))
    const honest = await enter('ZAR', 'EUR', '0.05', '2026-02-05')
    const behind = await enter('ZAR', 'EUR', '50', '2026-02-04')
    expect(behind.status).toBe(200)
    expect(await remove(honest.id)).toBe(409)
    expect(worth('ZAR', 'EUR', at(2, 6))).toBe('0.05')
    expect([await remove(behind.id), await remove(honest.id)]).toEqual([204, 204])
    expect(worth('ZAR', 'EUR', at(2, 6))).toBeUndefined()
  })
})
