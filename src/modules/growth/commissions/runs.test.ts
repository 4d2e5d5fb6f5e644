import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'
import { turn } from '../../../testing/until.ts'
import { runCommissions } from './commissions.jobs.ts'
import { commissionLines, commissionRuns } from './commissions.table.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

describe('a run of commissions', () => {
  test('a run pays three levels of a trade once, however often and with whatever overlaps it is run', async () => {
    const plans = [await desk.plan([lot('5')]), await desk.plan([lot('7')]), await desk.plan([lot('7.50')])]
    const top = await desk.affiliate(plans[2] ?? '')
    const middle = await desk.affiliate(plans[1] ?? '', top.id)
    const low = await desk.affiliate(plans[0] ?? '', middle.id)
    const client = await desk.client(low.id)
    await desk.trade(client, { volume: '3', spread: '20', commission: '-10' })
    await desk.trade(client, { volume: '0.10', spread: '40' })
    desk.tomorrow()
    firm.effects()
    const first = await desk.run(desk.day(-1), desk.day())
    expect(first).toMatchObject({ status: 'closed', sources: 2, lines: 6, corrections: 0, missingRates: [] })
    expect(firm.effects()).toEqual({ events: [], actions: ['commissions.run', 'commissions.close'] })
    expect(short(await desk.lines())).toEqual([
      '1 trade 0.50',
      '1 trade 15.00',
      '2 override 0.20',
      '2 override 6.00',
      '3 override 0.05',
      '3 override 1.50',
    ])
    const { body } = await app.call('GET', `/v1/affiliates/${low.id}`, { as: firm.as.viewer })
    expect(body.stats.balances).toEqual([
      { currency: 'EUR', earned: '15.50', asked: '0.00', paid: '0.00', available: '15.50' },
    ])
    await desk.explainAll()
    for (const [from, to] of [
      [desk.day(-1), desk.day()],
      [desk.day(-5), desk.day()],
    ] as const)
      expect(await desk.run(from, to)).toMatchObject({ status: 'closed', lines: 0, totals: [] })
    expect(await desk.lines()).toHaveLength(6)
  })

  test('requesting a run answers without a result; the finished run is reported once', async () => {
    const none = { sources: 0, lines: 0, corrections: 0, skipped: {}, missingRates: [], totals: [], closedAt: null }
    const asked = await desk.post('/v1/affiliates/commissions/runs', { from: desk.day(-1), to: desk.day() })
    expect(asked).toMatchObject({ status: 'computing', ...none })
    const run = () => runCommissions.run({ platform: app.platform, signal: new AbortController().signal })
    expect([await run(), await run()]).toEqual(['1 run finished', null])
  })

  test('a dry run finds what would be earned without writing it', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5')]))
    await desk.trade(await desk.client(low.id), { spread: '20' })
    desk.tomorrow()
    const dry = await desk.run(desk.day(-1), desk.day(), true)
    expect(dry).toMatchObject({
      dryRun: true,
      status: 'done',
      lines: 1,
      totals: [{ affiliateId: low.id, currency: 'EUR', amount: '5.00', lines: 1 }],
    })
    expect(await desk.lines()).toEqual([])
    const { body } = await app.call('GET', `/v1/affiliates/${low.id}`, { as: firm.as.viewer })
    expect(body.stats.balances).toEqual([])
  })

  test('a run pays no demo, short or assumed trade, nor one without plan or broker, and counts each kind', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5', ['EUR*'])]))
    const bare = await desk.affiliate(null)
    const client = await desk.client(low.id)
    const start = app.clock.now()
    const at = new Date(start).toISOString()
    const later = (seconds: number) => new Date(start + seconds * 1000).toISOString()
    const held = (seconds: number) => ({ openedAt: at, closedAt: later(seconds) })
    // 180 seconds are long enough, so this trade is skipped because no rule fits
    await desk.trade(client, held(179.999), { ...held(180), symbol: 'XAUUSD' })
    await desk.trade(await desk.client(low.id, { isDemo: true }), {})
    await desk.trade(await desk.client(null), {})
    await desk.trade(await desk.client(bare.id), {})
    const guessed = await desk.client(low.id)
    app.clock.advance(1)
    const open = { ticket: 'G1', accountNumber: desk.findAccount(guessed), symbol: 'EURUSD', side: 'long', volume: '1' }
    const prices = { openPrice: '1', currentPrice: '1', profit: '0', openedAt: at }
    await desk.report('delta', [{ ...open, ...prices }])
    await desk.report('snapshot', [])
    desk.tomorrow()
    const run = await desk.run(desk.day(-1), desk.day())
    const skipped = { too_short: 1, no_rule: 1, demo: 1, nobody: 1, no_plan: 1, assumed_closed: 1 }
    expect(run).toMatchObject({ lines: 0, skipped })
    // the platform reports the closing later, and the next run finds it, whatever its days are
    await desk.report('delta', [{ ...open, ...prices, closedAt: later(600), spread: '30' }])
    desk.tomorrow()
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ lines: 1, corrections: 0 })
    expect(short(await desk.lines())).toEqual(['1 trade 5.00'])
  })

  test('a run uses the lots of the first report, and a spread only if it was reported', async () => {
    const low = await desk.affiliate(await desk.plan([{ model: 'spread', symbols: ['XAU*'], rate: '0.25' }, lot('4')]))
    const client = await desk.client(low.id)
    const at = new Date(app.clock.now()).toISOString()
    app.clock.advance(HOUR)
    const partly = { ticket: 'P1', accountNumber: desk.findAccount(client), symbol: 'EURUSD', side: 'long' }
    const prices = { openPrice: '1', currentPrice: '1', profit: '0', openedAt: at, commission: '-50' }
    await desk.report('delta', [{ ...partly, ...prices, volume: '2' }])
    await desk.report('delta', [{ ...partly, ...prices, volume: '0.5' }])
    await desk.report('delta', [
      { ...partly, ...prices, volume: '0.5', closedAt: new Date(app.clock.now()).toISOString() },
    ])
    await desk.trade(client, { symbol: 'XAUUSD', spread: '10.02' }, { symbol: 'XAUUSD', commission: '-3' })
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const lines = await desk.lines()
    // a quarter of 10.02 is 2.505, which is rounded to the even cent
    expect(short(lines)).toEqual(['1 trade 0.00', '1 trade 2.50', '1 trade 8.00'])
    expect(lines.find(({ amount }) => amount === '0.00')?.note).toBe('no_spread')
    await desk.explainAll()
  })

  test('a run’s commissions are capped by the revenue of the source', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5')], { cap: '0.5' }))
    await desk.trade(
      await desk.client(low.id),
      { spread: '4', commission: '-2', swap: '-0.50' },
      { spread: '1', swap: '3' },
    )
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const lines = await desk.lines()
    expect(lines.map(({ amount, note }) => [amount, note]).sort()).toEqual([
      ['0.00', 'cut'],
      ['3.25', 'cut'],
    ])
    await desk.explainAll()
  })

  test('a run converts at the rate of the closing day, and makes no line without one', async () => {
    const low = await desk.affiliate(await desk.plan([{ model: 'commission', symbols: ['*'], rate: '0.5' }]))
    const client = await desk.client(low.id, { currency: 'USD' })
    await desk.trade(client, { commission: '-11' })
    desk.tomorrow()
    const missing = await desk.run(desk.day(-1), desk.day())
    expect(missing).toMatchObject({
      lines: 0,
      skipped: { no_rate: 1 },
      missingRates: [{ currency: 'USD', day: desk.day(-1) }],
    })
    await desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'USD', rate: '1.10' }] })
    await desk.trade(client, { commission: '-11' })
    desk.tomorrow()
    await desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'USD', rate: '1.12' }] })
    await desk.run(desk.day(-1), desk.day())
    expect(short(await desk.lines())).toEqual(['1 trade 5.00'])
    await desk.explainAll()
  })

  test('a run names each missing rate once, by currency and day', async () => {
    const low = await desk.affiliate(await desk.plan([{ model: 'commission', symbols: ['*'], rate: '0.5' }]))
    const [usd, chf] = [await desk.client(low.id, { currency: 'USD' }), await desk.client(low.id, { currency: 'CHF' })]
    await desk.trade(usd, { commission: '-1' }, { commission: '-2' })
    await desk.trade(chf, { commission: '-1' })
    desk.tomorrow()
    await desk.trade(usd, { commission: '-1' })
    desk.tomorrow()
    const { skipped, missingRates } = await desk.run(desk.day(-2), desk.day())
    expect(skipped).toEqual({ no_rate: 4 })
    const lacks = missingRates.map(({ currency, day }: { currency: string; day: string }) => `${day} ${currency}`)
    expect(lacks.sort()).toEqual([`${desk.day(-2)} CHF`, `${desk.day(-2)} USD`, `${desk.day(-1)} USD`])
  })

  test('a run takes back and replaces lines of sources that changed', async () => {
    const plan = await desk.plan([{ model: 'commission', symbols: ['*'], rate: '0.5' }])
    const top = await desk.affiliate(await desk.plan([{ model: 'commission', symbols: ['*'], rate: '0.6' }]))
    const low = await desk.affiliate(plan, top.id)
    const client = await desk.client(low.id)
    await desk.trade(client, { commission: '-10' })
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    // reports about closed positions are final, but somebody may correct the row in the database
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.correct', (tx) =>
      tx.execute('UPDATE position_closings SET commission = -2000, updated_at = ?2 WHERE tenant_id = ?1', [tx.now + 1]),
    )
    desk.tomorrow()
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ lines: 4, corrections: 2 })
    expect(short(await desk.lines())).toEqual([
      '1 correction -5.00',
      '1 trade 10.00',
      '1 trade 5.00',
      '2 correction -1.00',
      '2 override 1.00',
      '2 override 2.00',
    ])
    const { body } = await app.call('GET', `/v1/affiliates/${low.id}`, { as: firm.as.viewer })
    expect(body.stats.balances[0].earned).toBe('10.00')
    await desk.explainAll()
    desk.tomorrow()
    expect(await desk.run(desk.day(-3), desk.day())).toMatchObject({ lines: 0 })
  })

  test('a run uses the chain and the plans of the moment when a trade closed', async () => {
    const [five, seven] = [await desk.plan([lot('5')]), await desk.plan([lot('7')])]
    const [one, two] = [await desk.affiliate(seven), await desk.affiliate(seven)]
    const low = await desk.affiliate(five, one.id)
    const client = await desk.client(low.id)
    const trade = () => desk.trade(client, { closedAt: new Date(app.clock.now()).toISOString(), spread: '50' })
    await trade()
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${low.id}`, { parentId: two.id })
    await trade()
    app.clock.advance(HOUR)
    await desk.patch(`/v1/commission-plans/${five}`, { rules: [lot('6')] })
    await trade()
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${low.id}`, { status: 'suspended' })
    await trade()
    app.clock.advance(HOUR)
    await desk.patch(`/v1/traders/${client}`, { affiliateId: one.id })
    await trade()
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const lines = await desk.lines()
    const of = (id: string) =>
      lines
        .filter(({ affiliateId }) => affiliateId === id)
        .map(({ amount }) => amount)
        .sort()
    expect(of(low.id)).toEqual(['5.00', '5.00', '6.00'])
    expect(of(one.id)).toEqual(['2.00', '7.00'])
    expect(of(two.id)).toEqual(['1.00', '1.00', '2.00'])
    await desk.explainAll()
  })

  test('a run pays no affiliate for their own trades', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5')]))
    const client = await desk.client(low.id)
    await desk.patch(`/v1/traders/${client}`, { phone: '+35722123456' })
    await desk.patch(`/v1/traders/${low.trader}`, { phone: '+35722123456' })
    await desk.trade(client, { spread: '20' })
    desk.tomorrow()
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ sources: 1, lines: 0 })
  })

  test('a run takes back what was paid to an affiliate who turns out to be the client, and explains it', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5')]))
    const client = await desk.client(low.id)
    await desk.trade(client, { spread: '20' })
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    await desk.patch(`/v1/traders/${client}`, { phone: '+35722123456' })
    await desk.patch(`/v1/traders/${low.trader}`, { phone: '+35722123456' })
    const [line] = await desk.lines()
    expect(await desk.explain(line?.id ?? '')).toMatchObject({ recomputed: null, equal: false })
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ lines: 1, corrections: 1 })
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ status: 'closed', lines: 0, corrections: 0 })
    await desk.explainAll()
  })
})

describe('first deposits and months', () => {
  test('an acquisition is paid once, for the first large enough deposit and the lots traded after it', async () => {
    const plan = await desk.plan([{ model: 'cpa', symbols: ['*'], rate: '200', minDeposit: '250', minLots: '1.5' }])
    const top = await desk.affiliate(await desk.plan([{ model: 'cpa', symbols: ['*'], rate: '250' }]))
    const low = await desk.affiliate(plan, top.id)
    const client = await desk.client(low.id)
    const trade = () => desk.trade(client, { closedAt: new Date(app.clock.now()).toISOString() })
    await desk.deposit(client, '100')
    await trade()
    app.clock.advance(HOUR)
    await desk.deposit(client, '300')
    app.clock.advance(HOUR)
    await trade()
    desk.tomorrow()
    expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ lines: 0 })
    await trade()
    await desk.deposit(client, '500')
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    expect(short(await desk.lines())).toEqual(['1 deposit 200.00', '2 override 50.00'])
    await desk.explainAll()
    desk.tomorrow()
    expect(await desk.run(desk.day(-5), desk.day())).toMatchObject({ lines: 0 })
  })

  test('an acquisition needs the rate of the day of its deposit', async () => {
    const low = await desk.affiliate(
      await desk.plan([{ model: 'cpa', symbols: ['*'], rate: '200', minDeposit: '250' }]),
    )
    const client = await desk.client(low.id)
    await desk.deposit(client, '100')
    desk.tomorrow()
    await desk.deposit(client, '300', 'USD')
    desk.tomorrow()
    const run = await desk.run(desk.day(-2), desk.day())
    expect(run).toMatchObject({ lines: 0, missingRates: [{ currency: 'USD', day: desk.day(-1) }] })
  })

  test('a month’s revenue is shared at its end, and a loss is carried over', async () => {
    const plan = await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.4' }])
    const top = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]))
    const low = await desk.affiliate(plan, top.id)
    const client = await desk.client(low.id)
    app.clock.set(Date.UTC(2026, 0, 20, 12))
    await desk.trade(client, { spread: '10', commission: '-5', swap: '45' })
    app.clock.set(Date.UTC(2026, 1, 3, 12))
    expect(await desk.run('2026-01-15', '2026-02-01')).toMatchObject({ lines: 1 })
    await desk.trade(client, { spread: '100' }, { commission: '-30' })
    app.clock.set(Date.UTC(2026, 2, 2, 12))
    // a month counts if its last day is in the run
    expect(await desk.run('2026-02-01', '2026-02-20')).toMatchObject({ lines: 0 })
    expect(await desk.run('2026-02-20', '2026-03-01')).toMatchObject({ lines: 2 })
    // 130 less the 30 of January, and 40 and 10 per cent of that
    const lines = await desk.lines()
    expect(short(lines)).toEqual(['1 revenue 0.00', '1 revenue 40.00', '2 override 10.00'])
    expect(lines[0]).toMatchObject({ occurredAt: '2026-01-31T23:59:59.999Z' })
    await desk.explainAll()
    expect(await desk.run('2026-01-01', '2026-03-01')).toMatchObject({ lines: 0 })
  })
})

describe('a run that is stopped', () => {
  test('a run that is stopped ten times continues each time, and writes nothing twice', async () => {
    const top = await desk.affiliate(await desk.plan([lot('7')]))
    const low = await desk.affiliate(await desk.plan([lot('5')]), top.id)
    const client = await desk.client(low.id)
    for (let n = 0; n < 12; n += 1)
      await desk.trade(client, ...Array.from({ length: 100 }, () => ({ volume: '0.01', spread: '9' })))
    desk.tomorrow()
    await desk.post('/v1/affiliates/commissions/runs', { from: desk.day(-1), to: desk.day() })
    let stops = 0
    const { platform } = app
    const ctx = systemCtx(platform, firm.tenantId, 'test')
    const isOpen = () => ctx.db.count(commissionRuns, { status: 'computing' }) > 0
    for (; isOpen() && stops < 10; stops += 1) {
      const stop = new AbortController()
      // the stop comes later each time: in the child, within a batch, before the batch's end is stored
      let writes = 0
      const listen = () => {
        writes += 1
        if (writes > stops / 3) stop.abort()
      }
      platform.writer.onCommit(listen)
      if (stops === 0) void turn().then(() => stop.abort())
      await runCommissions.run({ platform, signal: stop.signal })
    }
    while (isOpen()) await runCommissions.run({ platform, signal: new AbortController().signal })
    expect(stops).toBeGreaterThan(4)
    const rows = ctx.db.list(commissionLines, {})
    expect(rows).toHaveLength(2400)
    expect(new Set(rows.map(({ source, level }) => `${source} ${level}`)).size).toBe(2400)
    const { body } = await app.call('GET', `/v1/affiliates/${low.id}`, { as: firm.as.viewer })
    expect(body.stats.balances[0].earned).toBe('60.00')
    const { data } = (await app.call('GET', '/v1/affiliates/commissions/runs', { as: firm.as.manager })).body
    expect(data[0]).toMatchObject({ status: 'closed', lines: 2400 })
  }, 180_000)
})

describe('a refused run', () => {
  test('a run is refused for days that are not over, in the wrong order, or too many', async () => {
    const ask = async (from: string, to: string) => {
      const { status, body } = await app.call('POST', '/v1/affiliates/commissions/runs', {
        as: firm.as.admin,
        body: { from, to },
      })
      return [status, body.errors?.[0]?.path]
    }
    expect(await ask(desk.day(), desk.day(1))).toEqual([422, 'to'])
    expect(await ask(desk.day(-1), desk.day(-1))).toEqual([422, 'to'])
    expect(await ask('2025-01-01', '2026-01-03')).toEqual([422, 'from'])
    expect(await ask('2025-01-01', '2026-01-02')).toEqual([202, undefined])
  })
})
