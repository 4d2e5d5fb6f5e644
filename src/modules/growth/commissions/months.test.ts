import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk, short } from '../../../testing/broker-desk.ts'
import { until } from '../../../testing/until.ts'
import { runCommissions } from './commissions.jobs.ts'
import { commissionRuns } from './commissions.table.ts'
import { closeRun } from './runs.service.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

describe('a part in a month', () => {
  const revenue = (rate: string) => desk.plan([{ model: 'revenue', symbols: ['*'], rate }])
  const january = async () => {
    app.clock.set(Date.UTC(2026, 1, 2))
    await desk.run('2026-01-01', '2026-02-01')
    const lines = await desk.lines()
    await desk.explainAll()
    return lines.filter(({ amount }) => amount !== '0.00').map(({ affiliateId, amount }) => [affiliateId, amount])
  }
  const lastMinute = () => app.clock.set(Date.UTC(2026, 0, 31, 23, 59))

  test('a month’s revenue is shared with affiliates who were active when a trade closed, not at the month’s end', async () => {
    const low = await desk.affiliate(await revenue('0.5'))
    const client = await desk.client(low.id)
    await desk.trade(client, { spread: '30' })
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${low.id}`, { status: 'suspended' })
    app.clock.advance(HOUR)
    await desk.trade(client, { spread: '1000' })
    lastMinute()
    await desk.patch(`/v1/affiliates/${low.id}`, { status: 'active' })
    expect(await january()).toEqual([[low.id, '15.00']])
  })

  test('a month’s revenue goes to the chain of each trade’s time; a loss reduces every chain’s part in proportion', async () => {
    const [one, two] = [await desk.affiliate(await revenue('0.9')), await desk.affiliate(await revenue('0.8'))]
    const low = await desk.affiliate(await revenue('0.1'), one.id)
    const client = await desk.client(low.id)
    await desk.trade(client, { spread: '100' }, { spread: '0', swap: '20' })
    app.clock.advance(HOUR)
    await desk.patch(`/v1/affiliates/${low.id}`, { parentId: null })
    app.clock.advance(HOUR)
    await desk.trade(client, { spread: '0', swap: '60' })
    lastMinute()
    await desk.patch(`/v1/affiliates/${low.id}`, { parentId: two.id })
    // 100 - 20 - 60 remain, all from the time below the first one
    expect((await january()).sort()).toEqual(
      [
        [low.id, '2.00'],
        [one.id, '16.00'],
      ].sort(),
    )
  })

  test('nobody in the chain shares a month’s revenue from trades of their own', async () => {
    const top = await desk.affiliate(await revenue('0.9'))
    const low = await desk.affiliate(await revenue('0.1'), top.id)
    const client = await desk.client(low.id)
    await desk.patch(`/v1/traders/${client}`, { phone: '+35722123456' })
    await desk.patch(`/v1/traders/${top.trader}`, { phone: '+35722123456' })
    await desk.trade(client, { spread: '1000' })
    const other = await desk.client(low.id)
    await desk.trade(other, { spread: '10' })
    expect((await january()).sort()).toEqual(
      [
        [low.id, '101.00'],
        [top.id, '8.00'],
      ].sort(),
    )
  })
})

test('a month waits for a missing rate only for the broker whose client traded in that currency', async () => {
  const revenue = await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }])
  const [one, two] = [await desk.affiliate(revenue), await desk.affiliate(revenue)]
  const three = await desk.affiliate(await desk.plan([{ model: 'commission', symbols: ['*'], rate: '0.5' }]))
  await desk.trade(await desk.client(one.id), { spread: '30' })
  await desk.trade(await desk.client(two.id, { currency: 'USD' }), { spread: '30' })
  await desk.trade(await desk.client(three.id, { currency: 'USD' }), { commission: '-30' })
  app.clock.set(Date.UTC(2026, 1, 2))
  const run = await desk.run('2026-01-01', '2026-02-01')
  expect(run).toMatchObject({ lines: 1, skipped: { no_rate: 2 } })
  expect(run.totals).toMatchObject([{ affiliateId: one.id, amount: '15.00' }])
  await desk.explainAll()
})

describe('a run that cannot be written', () => {
  const wild = (amount: number) =>
    systemCtx(app.platform, firm.tenantId, 'test').write('test.wild', (tx) =>
      tx.execute('UPDATE position_closings SET spread = ?2 WHERE tenant_id = ?1 AND spread > 100000', [amount]),
    )

  test('a run leaves out what is too large for a balance, and pays the rest', async () => {
    const low = await desk.affiliate(await desk.plan([{ model: 'spread', symbols: ['*'], rate: '1' }]))
    const client = await desk.client(low.id)
    await desk.trade(client, ...Array.from({ length: 12 }, () => ({ spread: '2000' })), { spread: '10' })
    await wild(999_999_999_999_999)
    desk.tomorrow()
    const run = await desk.run(desk.day(-1), desk.day())
    expect(run).toMatchObject({ status: 'closed', lastError: null, lines: 10, skipped: { too_large: 3 } })
  })

  test('a run is failed for good after ten attempts: later runs are computed, and its lines do not count', async () => {
    const low = await desk.affiliate(await desk.plan([lot('5')]))
    await desk.trade(await desk.client(low.id), { spread: '20' })
    desk.tomorrow()
    const ctx = systemCtx(app.platform, firm.tenantId, 'test')
    const broken = await desk.run(desk.day(-1), desk.day())
    await ctx.write('test.break', (tx) => {
      tx.execute("UPDATE commission_runs SET status = 'computing', phase = 'close' WHERE tenant_id = ?1")
      tx.execute('UPDATE affiliate_balances SET earned = 9007199254740991 WHERE tenant_id = ?1')
    })
    const once = async () => runCommissions.run({ platform: app.platform, signal: new AbortController().signal })
    for (let n = 1; n < 10; n += 1) await once()
    expect(ctx.db.get(commissionRuns, broken.id)).toMatchObject({ status: 'computing', lastError: expect.any(String) })
    expect(await once()).toBeNull()
    expect(ctx.db.get(commissionRuns, broken.id)).toMatchObject({ status: 'failed', lastError: expect.any(String) })
    // a process that was computing it meanwhile must not close it
    const given = ctx.db.get(commissionRuns, broken.id)
    await expect(closeRun(ctx, given, [])).rejects.toMatchObject({ status: 409 })
    await ctx.write('test.mend', (tx) => tx.execute('UPDATE affiliate_balances SET earned = 0 WHERE tenant_id = ?1'))
    const again = await desk.run(desk.day(-1), desk.day())
    // the job may be computing it already, which the test must wait for
    await until('it is computed', () => ctx.db.get(commissionRuns, again.id).status !== 'computing')
    const { status, result } = ctx.db.get(commissionRuns, again.id)
    expect({ status, ...result }).toMatchObject({ status: 'closed', lines: 1 })
    expect(short(await desk.lines())).toEqual(['1 trade 5.00'])
    await desk.explainAll()
  })
})

test('what a run took back before it failed is taken back by the next run', async () => {
  const low = await desk.affiliate(await desk.plan([lot('5')]))
  await desk.trade(await desk.client(low.id), { spread: '20' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  const { write } = systemCtx(app.platform, firm.tenantId, 'test')
  await write('test.correct', (tx) =>
    tx.execute('UPDATE position_closings SET opened_at = closed_at, updated_at = ?2 WHERE tenant_id = ?1', [tx.now]),
  )
  desk.tomorrow()
  const { id } = await desk.run(desk.day(-1), desk.day())
  await write('test.give_up', (tx) =>
    tx.execute("UPDATE commission_runs SET status = 'failed' WHERE tenant_id = ?1 AND id = ?2", [id]),
  )
  expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ status: 'closed', lines: 1, corrections: 1 })
  expect(short(await desk.lines())).toEqual(['1 correction -5.00', '1 trade 5.00'])
})

describe('a month below zero', () => {
  const rates = (rate = '160') => desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'JPY', rate }] })

  test.each(['2026-01-01', '2026-02-01'])(
    'a month below zero is made up for in the currency of a later plan, run from %s',
    async (from) => {
      const revenue = [{ model: 'revenue', symbols: ['*'], rate: '0.5' }]
      const { id } = await desk.affiliate(await desk.plan(revenue))
      const client = await desk.client(id)
      await desk.trade(client, { swap: '1000', spread: '0' })
      app.clock.set(Date.UTC(2026, 1, 1))
      await desk.patch(`/v1/affiliates/${id}`, { planId: await desk.plan(revenue, { currency: 'JPY' }) })
      app.clock.set(Date.UTC(2026, 1, 10))
      await rates()
      await desk.trade(client, { spread: '5000' })
      app.clock.set(Date.UTC(2026, 2, 2))
      await desk.run(from, '2026-03-01')
      // it is half of 4,000 EUR at 160
      expect((await desk.lines()).map(({ amount }) => Number(amount)).filter(Boolean)).toEqual([320_000])
      await desk.explainAll()
    },
  )

  test('a month below zero is carried over in the currency that the plan had at its very end', async () => {
    const revenue = [{ model: 'revenue', symbols: ['*'], rate: '0.5' }]
    const [eur, jpy] = [await desk.plan(revenue), await desk.plan(revenue, { currency: 'JPY' })]
    const { id } = await desk.affiliate(eur)
    const client = await desk.client(id)
    await rates()
    await desk.trade(client, { swap: '1000', spread: '0' })
    app.clock.set(Date.UTC(2026, 1, 1) - 1)
    await desk.patch(`/v1/affiliates/${id}`, { planId: jpy })
    app.clock.set(Date.UTC(2026, 1, 10))
    await desk.patch(`/v1/affiliates/${id}`, { planId: eur })
    await rates('159')
    await desk.trade(client, { spread: '5000' })
    app.clock.set(Date.UTC(2026, 2, 2))
    await desk.run('2026-02-01', '2026-03-01')
    // by then a loss of 160,000 JPY is 1,006.29 EUR, and half of the remaining 3,993.71 EUR is paid
    expect((await desk.lines()).map(({ amount }) => amount)).toEqual(['1996.86'])
  })

  test('a month below zero is carried over a change of plan and currency, and for an affiliate without a plan', async () => {
    const revenue = [{ model: 'revenue', symbols: ['*'], rate: '0.5' }]
    const plan = await desk.plan(revenue)
    const jpy = await desk.plan(revenue, { currency: 'JPY' })
    const atEnd = [await desk.plan([lot('0')]), null, plan]
    const brokers: { id: string; client: string }[] = []
    for (const _ of atEnd) {
      const { id } = await desk.affiliate(plan)
      brokers.push({ id, client: await desk.client(id) })
    }
    const give = async (plans: readonly (string | null)[]) => {
      for (const [index, { id }] of brokers.entries())
        if (plans[index] !== plan) await desk.patch(`/v1/affiliates/${id}`, { planId: plans[index] })
    }
    for (const { client } of brokers) await desk.trade(client, { swap: '10000', spread: '0' })
    app.clock.set(Date.UTC(2026, 1, 1) - 1)
    await give(atEnd)
    app.clock.set(Date.UTC(2026, 1, 1))
    for (const { id } of brokers.slice(0, 2)) await desk.patch(`/v1/affiliates/${id}`, { planId: plan })
    await give([plan, plan, jpy])
    app.clock.set(Date.UTC(2026, 1, 10))
    await rates()
    for (const { client } of brokers) await desk.trade(client, { spread: '1000' })
    app.clock.set(Date.UTC(2026, 2, 2))
    await desk.run('2026-01-01', '2026-03-01')
    const lines = await desk.lines()
    expect(lines.map(({ amount }) => Number(amount))).toEqual([0, 0, 0, 0, 0, 0])
    await desk.explainAll()
  })
})

test('a trade is in one month, even if the firm changes its time zone', async () => {
  const low = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]))
  const client = await desk.client(low.id)
  app.clock.set(Date.UTC(2026, 0, 31, 22))
  await desk.trade(client, { spread: '1000' })
  app.clock.set(Date.UTC(2026, 1, 3))
  await desk.run('2026-01-01', '2026-02-01')
  await desk.patch('/v1/tenants/current', { timeZone: 'Asia/Tokyo' })
  await desk.trade(client, { spread: '10' })
  app.clock.set(Date.UTC(2026, 2, 3))
  await desk.run('2026-02-01', '2026-03-01')
  expect(short(await desk.lines())).toEqual(['1 revenue 5.00', '1 revenue 500.00'])
  await desk.explainAll()
})

test('trades from before an account became live pay no affiliate', async () => {
  const low = await desk.affiliate(await desk.plan([lot('5')]))
  const client = await desk.client(low.id, { isDemo: true })
  await desk.trade(client, { volume: '100', spread: '10000' })
  const { data } = (await app.call('GET', `/v1/accounts?traderId=${client}`, { as: firm.as.viewer })).body
  await desk.patch(`/v1/accounts/${data[0].id}`, { isDemo: false }, firm.as.operator)
  app.clock.advance(HOUR)
  await desk.trade(client, { spread: '20' })
  desk.tomorrow()
  expect(await desk.run(desk.day(-1), desk.day())).toMatchObject({ skipped: { demo: 1 } })
  expect(short(await desk.lines())).toEqual(['1 trade 5.00'])
})

test('an acquisition is paid once, however many clients are merged one after the other', async () => {
  const rules = [{ model: 'cpa', symbols: ['*'], rate: '300', minDeposit: '100' }]
  const low = await desk.affiliate(await desk.plan(rules))
  const [a, b, c] = [await desk.client(low.id), await desk.client(low.id), await desk.client(low.id)]
  await desk.deposit(a, '500')
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  for (const [secondaryId, primaryId] of [
    [a, b],
    [b, c],
  ])
    await desk.post('/v1/admin/traders/merge', { primaryId, secondaryId }, firm.as.admin)
  desk.tomorrow()
  await desk.run(desk.day(-2), desk.day())
  expect(short(await desk.lines())).toEqual(['1 deposit 300.00'])
})

describe('an introducing broker', () => {
  type Explained = { steps: string[]; inputs: Record<string, string>; recomputed: string | null }
  const read = async (trader: string, path: string) =>
    (await app.call('GET', path, { as: await firm.traderSession(trader) })).body
  const readExplained = async (trader: string): Promise<Explained[]> => {
    const { data } = await read(trader, '/v1/affiliates/commissions?sort=occurredAt')
    return Promise.all(data.map(({ id }: { id: string }) => read(trader, `/v1/affiliates/commissions/${id}/explain`)))
  }

  test('a broker reads only their own level’s step, no facts of a trade at a lower level, and no amount of a deposit', async () => {
    const rules = (cpa: string, spread: string) => [
      { model: 'cpa', symbols: ['*'], rate: cpa },
      { model: 'spread', symbols: ['*'], rate: spread },
    ]
    const top = await desk.affiliate(await desk.plan(rules('300', '0.77')))
    const low = await desk.affiliate(await desk.plan(rules('111', '0.33')), top.id)
    const client = await desk.client(low.id)
    await desk.deposit(client, '777')
    await desk.trade(client, { spread: '100', volume: '3' }, { volume: '2' })
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const above = await readExplained(top.trader)
    expect(above.length).toBe(2)
    for (const { inputs, steps } of above) expect([inputs, steps]).toEqual([{}, [expect.stringMatching(/^Level 2:/)]])
    const below = await readExplained(low.trader)
    expect(below.length).toBe(3)
    expect(JSON.stringify([...above, ...below])).not.toContain('777')
    for (const { steps } of below) {
      expect(steps.filter((step) => step.startsWith('Level 1:'))).toHaveLength(1)
      expect(steps.join()).not.toContain('Level 2')
    }
  })

  test('a broker reads nothing about the branch to which the account was given', async () => {
    const [a, b] = [
      await desk.affiliate(await desk.plan([lot('5')])),
      await desk.affiliate(await desk.plan([lot('17')])),
    ]
    const [from, to] = [await desk.client(a.id), await desk.client(b.id)]
    await desk.trade(from, { spread: '1000' })
    desk.tomorrow()
    await desk.run(desk.day(-1), desk.day())
    const { data } = (await app.call('GET', `/v1/accounts?traderId=${from}`, { as: firm.as.viewer })).body
    await desk.patch(`/v1/accounts/${data[0].id}`, { traderId: to }, firm.as.manager)
    for (const one of await readExplained(a.trader)) expect(JSON.stringify(one.steps)).not.toContain('17')
  })

  test('a broker cannot find out hidden fields by filters', async () => {
    const top = await desk.affiliate(null)
    const low = await desk.affiliate(null, top.id)
    for (const filter of [`planId=${low.id}`, `traderId=${low.trader}`, `parentId=${top.id}`])
      expect(await read(top.trader, `/v1/affiliates?${filter}`)).toMatchObject({ errors: [{ code: 'not_allowed' }] })
  })
})
