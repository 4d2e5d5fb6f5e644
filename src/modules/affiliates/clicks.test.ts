import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../platform/access/ctx.ts'
import { createScheduler } from '../../platform/jobs/scheduler.ts'
import { createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { takeClicks } from './affiliates.jobs.ts'
import { affiliateClicks } from './affiliates.table.ts'

let app: TestApp
let firm: Firm
beforeEach(async () => {
  const off = { short: 0, medium: 0, long: 0 }
  app = createTestApp({ config: { trustedProxies: ['127.0.0.1/32'], rateLimits: off } })
  firm = await app.firm('acme')
})
afterEach(() => app.close())

const make = async (code: string, of: Firm = firm, status: 'pending' | 'active' = 'active'): Promise<string> => {
  const body = { traderId: await of.trader(), code }
  const made = await app.call('POST', '/v1/affiliates', { as: of.as.manager, body })
  const path = `/v1/affiliates/${made.body.id}`
  if (status === 'active') await app.call('PATCH', path, { as: of.as.manager, body: { status } })
  return made.body.id
}
const track = (body: object, from = '198.51.100.1', host = 'localhost') =>
  app.call('POST', '/v1/affiliates/clicks/track', {
    body: { url: 'https://x.test/', ...body },
    headers: { 'x-forwarded-for': from, host },
  })
const written = async (of: Firm = firm) => {
  await createScheduler(app.platform, [takeClicks]).runNow('affiliates.clicks')
  return systemCtx(app.platform, of.tenantId, 'test').db.list(affiliateClicks, {})
}
const long = '中'.repeat(500)
const large = { url: `https://flood.test/${long.slice(20)}`, referrer: long, utm: { source: long, medium: long } }

describe('a flood of clicks', () => {
  test('of one network, for a code that nobody has, keeps nobody else out', async () => {
    await make('good')
    for (let n = 0; n < 3000; n += 1) await track({ code: 'nobody-has-this', ...large }, `2001:db8:1:${n}::1`)
    for (let n = 0; n < 50; n += 1) await track({ code: 'good' }, `192.0.2.${n}`)
    expect(await written()).toHaveLength(50)
  })

  test('of a dozen networks costs those who flood their places, and not who comes later', async () => {
    await make('good')
    for (let n = 0; n < 3600; n += 1) await track({ code: 'nobody-has-this', ...large }, `203.0.113.${n % 12}`)
    for (let n = 0; n < 50; n += 1) await track({ code: 'good' }, `192.0.2.${n}`)
    expect(await written()).toHaveLength(50)
  })

  test('for one affiliate of a firm leaves places to other networks and affiliates', async () => {
    const [flooded, quiet] = [await make('flooded'), await make('quiet')]
    for (let n = 0; n < 400; n += 1) await track({ code: 'flooded', url: 'https://flood.test/' }, '203.0.113.1')
    for (let n = 0; n < 20; n += 1) await track({ code: 'quiet' }, '203.0.113.1')
    for (let n = 0; n < 50; n += 1) await track({ code: 'flooded', url: 'https://real.test/' }, `192.0.2.${n}`)
    const rows = await written()
    const count = (id: string, url: string) =>
      rows.filter((row) => row.affiliateId === id && row.url?.startsWith(url)).length
    expect(rows).toHaveLength(200)
    expect([count(flooded, 'https://real.test'), count(quiet, 'https://x.test')]).toEqual([50, 20])
  })

  test('of more networks than a second has places is taken from evenly', async () => {
    await make('good')
    for (let n = 0; n < 600; n += 1) {
      const url = n < 400 ? 'https://first.test/' : 'https://later.test/'
      await track({ code: 'good', url }, `198.51.${100 + Math.floor(n / 200)}.${n % 200}`)
    }
    const rows = await written()
    const later = rows.filter(({ url }) => url?.startsWith('https://later.test'))
    expect([rows.length, later.length > 60]).toEqual([200, true])
  })
})
