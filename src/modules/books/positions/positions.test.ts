import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { startWebhookReceiver } from '../../../testing/fakes/webhook-receiver.ts'
import { reportPosition } from '../../../testing/position-report.ts'
import { turn } from '../../../testing/until.ts'
import { deliverWebhooks } from '../../firm/webhooks/webhooks.jobs.ts'
import { formatLots, parseLots } from './lots.ts'

let app: TestApp
let firm: Firm
let other: Firm
let traderId: string
beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  traderId = await firm.trader()
  await app.call('POST', '/v1/accounts', {
    as: firm.as.operator,
    body: { traderId, platform: 'terminal5', currency: 'JPY', accountNumber: '7001' },
  })
  firm.effects()
})
afterAll(() => app.close())

let sequence = 0
const sync = (positions: object[], extra: object = {}, as = firm.as.operator) => {
  sequence += 1
  return app.call('POST', '/v1/positions/sync', {
    as,
    body: { platform: 'terminal5', server: 'live-1', sequence, mode: 'delta', positions, ...extra },
  })
}
const open = async () =>
  (await app.call('GET', '/v1/positions?status=open&limit=200', { as: firm.as.viewer })).body.data

describe('the list', () => {
  test('the list of positions is searched by ticket, on any platform and server', async () => {
    const places = [
      ['terminal4', 'a'],
      ['terminal5', 'a'],
      ['terminal5', 'b'],
      ['third', 'z'],
    ] as const
    const searched = await app.firm('searched')
    const platforms = [...new Set(places.map(([platform]) => platform))]
    await app.call('PATCH', '/v1/tenants/current', { as: searched.as.owner, body: { platforms } })
    for (const [platform, server] of places)
      await app.call('POST', '/v1/positions/sync', {
        as: searched.as.operator,
        body: {
          platform,
          server,
          sequence: 1,
          mode: 'delta',
          positions: [reportPosition('900'), reportPosition(`9001${server}`)],
        },
      })
    const found = async (text: string, as: Caller): Promise<string[]> =>
      (await app.call('GET', `/v1/positions?q=${text}&sort=createdAt`, { as })).body.data.map(
        (row: { platform: string; server: string; ticket: string }) => `${row.platform} ${row.server} ${row.ticket}`,
      )
    expect((await found('900', searched.as.viewer)).toSorted()).toEqual(places.map((place) => `${place.join(' ')} 900`))
    expect(await found('9001b', searched.as.viewer)).toEqual(['terminal5 b 9001b'])
    expect([await found('90', searched.as.viewer), await found('900', firm.as.viewer)]).toEqual([[], []])
  })
})

describe('a report of positions', () => {
  test('a report opens a new position, updates a changed one and closes by closedAt; the account gives client and currency', async () => {
    const first = await sync([reportPosition('1'), reportPosition('2', { accountNumber: 'unknown', profit: '1.50' })])
    const counts = { opened: 2, updated: 0, closed: 0, unchanged: 0 }
    const refused = { closedNothing: false, refused: [], refusedTotal: 0 }
    expect(first.body).toEqual({ applied: true, sequence: 1, ...counts, unlinked: ['unknown'], ...refused })
    expect(firm.effects()).toEqual({ events: ['position.opened', 'position.opened'], actions: ['position.sync'] })
    const rows = await open()
    expect(rows.find((row: { ticket: string }) => row.ticket === '1')).toMatchObject({
      traderId,
      currency: 'JPY',
      profit: '125',
      volume: '0.10',
      status: 'open',
    })
    expect(rows.find((row: { ticket: string }) => row.ticket === '2')).toMatchObject({
      traderId: null,
      currency: null,
      profit: '1.50',
    })
    const second = await sync([
      reportPosition('1', { currentPrice: '1.2' }),
      reportPosition('2', { accountNumber: 'unknown', profit: '1.50' }),
    ])
    expect(second.body).toMatchObject({ updated: 1, unchanged: 1 })
    // updates are not written while nobody reads them
    expect(firm.effects().events).toEqual([])
    expect((await sync([reportPosition('1', { closedAt: '2026-01-11T09:00:00Z' })])).body).toMatchObject({ closed: 1 })
    expect(firm.effects().events).toEqual(['position.closed'])
    expect((await sync([reportPosition('1', { currentPrice: '9' })])).body).toMatchObject({ unchanged: 1 })
  })

  test('a report with a repeated or older number changes nothing and says so; servers count separately', async () => {
    const body = { sequence: sequence + 1 }
    await sync([reportPosition('10')], body)
    firm.effects()
    const again = await sync([reportPosition('11')], body)
    expect(again.body).toMatchObject({ applied: false, sequence: body.sequence, opened: 0 })
    expect((await sync([reportPosition('12')], { sequence: 0 })).body.applied).toBe(false)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect((await sync([reportPosition('10')], { sequence: 0, server: 'live-2' })).body).toMatchObject({
      applied: true,
      opened: 1,
    })
    firm.effects()
  })

  test('a report is applied once if it comes 20 times at once with the same number', async () => {
    const own = sequence + 100
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sync([reportPosition('race')], { sequence: own })),
    )
    expect(answers.filter(({ body }) => body.applied)).toHaveLength(1)
    sequence = own
    firm.effects()
  })

  test('a snapshot closes the positions that it lacks, on its own server only', async () => {
    const before = (await open()).filter((row: { server: string }) => row.server === 'live-1').length
    const answer = await sync([reportPosition('10')], { mode: 'snapshot' })
    expect(answer.body).toMatchObject({ closed: before - 1 })
    const left = await open()
    expect(left.map((row: { server: string; ticket: string }) => `${row.server}/${row.ticket}`).sort()).toEqual([
      'live-1/10',
      'live-2/10',
    ])
    firm.effects()
  })

  test('a report by a viewer is refused, and positions belong to their own firm alone', async () => {
    expect((await sync([], {}, firm.as.viewer)).status).toBe(403)
    expect((await app.call('GET', '/v1/positions', { as: other.as.viewer })).body.data).toEqual([])
  })

  test('a report is rounded to a known currency, and stored as written if the currency is unknown', async () => {
    const own = { server: 'live-round' }
    await sync(
      [reportPosition('d1', { profit: '125.5' }), reportPosition('d2', { accountNumber: '9009', profit: '1.005' })],
      own,
    )
    const rows = await open()
    const profit = (ticket: string) => rows.find((row: { ticket: string }) => row.ticket === ticket).profit
    expect([profit('d1'), profit('d2')]).toEqual(['126', '1.005'])
    firm.effects()
  })

  test('reported positions get client and currency when their account is linked later', async () => {
    const own = { server: 'live-late' }
    await sync([reportPosition('l1', { accountNumber: '9010', profit: '12.34' })], own)
    await app.call('POST', '/v1/accounts', {
      as: firm.as.operator,
      body: { traderId, platform: 'terminal5', accountNumber: '9010', currency: 'JPY' },
    })
    const [row] = (await open()).filter(({ ticket }: { ticket: string }) => ticket === 'l1')
    expect(row).toMatchObject({ traderId, currency: 'JPY', profit: '12' })
    expect((await sync([reportPosition('l1', { accountNumber: '9010', profit: '12.34' })], own)).body.unchanged).toBe(1)
    firm.effects()
  })

  test('a report may close without a volume, and corrects a closing that a snapshot assumed', async () => {
    const own = { server: 'live-gaps' }
    await sync([reportPosition('g1'), reportPosition('g2'), reportPosition('g3')], own)
    const closed = { volume: '0', profit: '777', closedAt: '2026-01-11T09:00:00Z' }
    expect((await sync([reportPosition('g1', closed), reportPosition('never', closed)], own)).body).toMatchObject({
      closed: 1,
      unchanged: 1,
    })
    expect((await sync([], { ...own, mode: 'snapshot' })).body.closed).toBe(2)
    firm.effects()
    const answer = await sync(
      [reportPosition('g1', { profit: '1' }), reportPosition('g2', closed), reportPosition('g3')],
      own,
    )
    expect(answer.body).toMatchObject({ updated: 2, unchanged: 1, closed: 0 })
    expect(firm.effects().events).toEqual(['position.opened'])
    const all = (await app.call('GET', '/v1/positions?limit=200', { as: firm.as.viewer })).body.data
    const of = (ticket: string) => all.find((row: { ticket: string }) => row.ticket === ticket)
    expect(of('g1')).toMatchObject({ status: 'closed', profit: '777', volume: '0.10' })
    expect(of('g2')).toMatchObject({ status: 'closed', profit: '777', closedAt: '2026-01-11T09:00:00.000Z' })
    expect(of('g3')).toMatchObject({ status: 'open', closedAt: null })
    firm.effects()
  })

  test('a client sees their own reported positions', async () => {
    const own = await firm.traderSession(traderId)
    expect((await app.call('GET', '/v1/positions', { as: own })).body.data.length).toBeGreaterThan(0)
    const stranger = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', '/v1/positions', { as: stranger })).body.data).toEqual([])
  })

  test('a reader of updates gets the latest state of each position, not every change', async () => {
    const receiver = startWebhookReceiver()
    await app.call('POST', '/v1/webhooks/subscriptions', {
      as: firm.as.admin,
      body: { url: receiver.url, events: ['position.updated'] },
    })
    for (let price = 1; price <= 5; price++) await sync([reportPosition('10', { currentPrice: `2.${price}` })])
    await deliverWebhooks.run({ platform: app.platform, signal: new AbortController().signal })
    expect(receiver.received).toHaveLength(1)
    expect(JSON.parse(receiver.received[0]?.text ?? '{}').payload).toMatchObject({ ticket: '10', currentPrice: '2.5' })
    await receiver.stop()
    firm.effects()
  })
})

test('the heatmap sums volumes exactly, with the largest symbol first', async () => {
  await sync([
    reportPosition('h1', { symbol: 'XAUUSD', volume: '3.00000001', side: 'short' }),
    reportPosition('h2', { symbol: 'XAUUSD', volume: '1.5' }),
  ])
  app.clock.advance(3000)
  const { body } = await app.call('GET', '/v1/admin/position-heatmap', { as: firm.as.viewer })
  expect(body.data[0]).toEqual({
    symbol: 'XAUUSD',
    long: '1.50',
    short: '3.00000001',
    net: '-1.50000001',
    positions: 2,
    traders: 1,
  })
  expect((await app.call('GET', '/v1/admin/position-heatmap', { as: other.as.viewer })).body.data).toEqual([])
})

test('the heatmap sums more than an integer of SQLite can store', async () => {
  const huge = Array.from({ length: 10_000 }, (_, n) =>
    reportPosition(`h${n}`, { symbol: 'HUGE', volume: '9999999.99999999' }),
  )
  expect((await sync(huge, { server: 'live-huge' })).status).toBe(200)
  app.clock.advance(5000)
  const heat = await app.call('GET', '/v1/admin/position-heatmap', { as: firm.as.viewer })
  expect(heat.body.data[0]).toMatchObject({ symbol: 'HUGE', long: '99999999999.9999', positions: 10_000 })
  await sync([], { server: 'live-huge', mode: 'snapshot' })
  firm.effects()
})

test('lots as text and as units are the same number', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), (units) => {
      expect(parseLots(formatLots(units))).toBe(units)
    }),
  )
})

test('a call of 10,000 positions lets reads run meanwhile', async () => {
  const many = Array.from({ length: 10_000 }, (_, n) => reportPosition(`m${n}`, { symbol: `S${n % 40}` }))
  const order: string[] = []
  const synced = sync(many).finally(() => order.push('synced'))
  await turn()
  await app.call('GET', '/v1/positions?limit=1', { as: firm.as.viewer })
  order.push('read')
  expect((await synced).body).toMatchObject({ applied: true, opened: 10_000 })
  expect(order).toEqual(['read', 'synced'])
})
