import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { createScheduler } from '../../../platform/jobs/scheduler.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
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

test.each([
  ['an address of 4,000 characters', { url: `https://x.test/?fbclid=${'a'.repeat(4000)}` }],
  ['an address with blanks, line breaks and signs', { url: 'https://x.test/?q=a b\n\u0007"<>' }],
  ['no address', { url: null, referrer: '' }],
  ['empty and long marks', { utm: { source: '', medium: null, campaign: 'c'.repeat(2000) } }],
  ['no marks', { utm: null }],
  ['an empty visitor', { visitorId: '' }],
])('a click with %s is 202 and counts', async (_, body) => {
  await make('good')
  const { status, body: answer } = await track({ code: 'good', ...body })
  expect([status, answer.visitorId]).toEqual([202, expect.stringMatching(/^[\w-]{16,64}$/)])
  const [row] = await written()
  expect([row?.visitorId, Buffer.byteLength(row?.url ?? '') <= 200]).toEqual([answer.visitorId, true])
})

describe('a flood of clicks', () => {
  test('a flood of clicks from one network, for an unknown code, does not displace others', async () => {
    await make('good')
    for (let n = 0; n < 3000; n += 1) await track({ code: 'nobody-has-this', ...large }, `2001:db8:1:${n}::1`)
    for (let n = 0; n < 50; n += 1) await track({ code: 'good' }, `192.0.2.${n}`)
    expect(await written()).toHaveLength(50)
  })

  test('a flood of clicks from a dozen networks displaces clicks of these, and not later ones of others', async () => {
    await make('good')
    for (let n = 0; n < 3600; n += 1) await track({ code: 'nobody-has-this', ...large }, `203.0.113.${n % 12}`)
    for (let n = 0; n < 50; n += 1) await track({ code: 'good' }, `192.0.2.${n}`)
    expect(await written()).toHaveLength(50)
  })

  test('a flood of clicks for one affiliate leaves room for other networks and affiliates', async () => {
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

  test('clicks of more networks than a second has room for are taken from evenly spread networks', async () => {
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

describe('a stored click', () => {
  test('a stored click has at most 200 bytes of each text, whole characters, and only http addresses', async () => {
    await make('good')
    const utm = { source: long, medium: 'mail', campaign: 'spring', term: '👍'.repeat(100), content: 'banner' }
    await track({ code: 'good', url: `https://x.test/${'中'.repeat(400)}`, referrer: 'android-app://com.example', utm })
    const program = await track({ code: 'good', url: 'javascript:alert(1)', referrer: 'https://blog.test/' })
    const unknown = await track({ code: 'nobody', url: 'javascript:alert(1)' })
    expect([program.status, unknown.status]).toEqual([202, 202])
    const [first, second] = await written()
    expect(first).toMatchObject({ url: `https://x.test/${'中'.repeat(61)}`, referrer: null })
    const plain = { medium: 'mail', campaign: 'spring', content: 'banner' }
    expect(first?.utm).toEqual({ ...plain, source: '中'.repeat(66), term: '👍'.repeat(50) })
    expect(second).toMatchObject({ url: null, referrer: 'https://blog.test/' })
  })

  test('20,000 clicks of an affiliate are stored a day; after those only the first of each new network', async () => {
    const [full, quiet] = [await make('full'), await make('quiet')]
    const { connection, writer } = app.platform
    const numbers = 'WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?4)'
    const fill = (count: number, prefix: string) =>
      writer.submit(() =>
        connection.run(
          `${numbers} INSERT INTO affiliate_clicks (tenant_id, id, affiliate_id, visitor_id, created_at)
          SELECT ?1, ?5 || value, ?2, 'v' || value, ?3 FROM n`,
          [firm.tenantId, full, app.clock.now(), count, prefix],
        ),
      )
    const countClicks = async (id: string) => (await written()).filter(({ affiliateId }) => affiliateId === id).length
    await fill(19_990, 'clk_a')
    for (let n = 0; n < 30; n += 1) await track({ code: 'full' }, '203.0.113.1')
    for (let n = 0; n < 5; n += 1) await track({ code: 'quiet' }, '203.0.113.1')
    expect(await countClicks(full)).toBe(20_000)
    for (let n = 0; n < 10; n += 1) await track({ code: 'full' }, `192.0.2.${n}`)
    for (let n = 0; n < 10; n += 1) await track({ code: 'full' }, '203.0.113.1')
    expect(await countClicks(full)).toBe(20_010)
    expect(await countClicks(quiet)).toBe(5)
    app.clock.advance(DAY)
    for (let n = 0; n < 10; n += 1) await track({ code: 'full' }, '203.0.113.1')
    expect(await countClicks(full)).toBe(20_020)
  })

  test('2,000 clicks of one network for an affiliate are stored a day', async () => {
    await make('good')
    for (let second = 0; second < 11; second += 1) {
      for (let n = 0; n < 200; n += 1) await track({ code: 'good' }, '203.0.113.1')
      await written()
    }
    expect(await written()).toHaveLength(2_000)
  })
})

describe('a code that two firms have', () => {
  test('a code of two firms belongs to one of them while the other has not activated it, or is suspended', async () => {
    await make('good')
    const other = await app.firm('other')
    const squatter = await make('good', other, 'pending')
    await track({ code: 'good' })
    expect([(await written()).length, (await written(other)).length]).toEqual([1, 0])
    const status = (value: string) =>
      app.call('PATCH', `/v1/affiliates/${squatter}`, { as: other.as.manager, body: { status: value } })
    await status('active')
    await track({ code: 'good' })
    expect(await written()).toHaveLength(1)
    const { connection, writer } = app.platform
    await writer.submit(() => connection.run(`UPDATE tenants SET status = 'suspended' WHERE id = ?`, [other.tenantId]))
    await track({ code: 'good' })
    await track({ code: 'good', firm: 'other' })
    expect([(await written()).length, (await written(other)).length]).toEqual([2, 0])
  })

  test('a click on a code of two firms goes to the firm of the called domain, else to the firm that it names', async () => {
    await make('good')
    const other = await app.firm('other')
    await make('good', other)
    const counts = async () => [(await written()).length, (await written(other)).length]
    await track({ code: 'good', firm: 'acme' })
    await track({ code: 'good', firm: 'nobody' })
    await track({ code: 'good' })
    expect(await counts()).toEqual([1, 0])
    const { connection, writer } = app.platform
    await writer.submit(() =>
      connection.run(`UPDATE tenants SET domain = 'other.example' WHERE id = ?`, [other.tenantId]),
    )
    await track({ code: 'good', firm: 'acme' }, '192.0.2.1', 'other.example')
    expect(await counts()).toEqual([1, 1])
    await track({ code: 'good' }, '192.0.2.1', 'Other.example:8443')
    expect(await counts()).toEqual([1, 2])
  })
})
