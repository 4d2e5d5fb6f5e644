import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, openBrokerDesk, short } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let broker: { id: string; trader: string }
let client: string
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  broker = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]))
  client = await desk.client(broker.id)
})
afterEach(() => desk.close())

/** Sets the clock to noon on the tenth of a month of 2026; January is 0. */
const goToTenth = (month: number) => app.clock.set(Date.UTC(2026, month, 10, 12))
/** Sets the clock to the second of a month of 2026, so that the month before is over. */
const goToSecond = (month: number) => app.clock.set(Date.UTC(2026, month, 2))
const gain = (amount: string) => desk.trade(client, { spread: amount })
const lose = (amount: string) => desk.trade(client, { spread: '0', swap: amount })
const inRand = async () => desk.trade(await desk.client(broker.id, { currency: 'ZAR' }), { spread: '0.01' })
const enter = (since: string, rate = '0.05') =>
  desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'ZAR', quote: 'EUR', rate, since }] }, firm.as.admin)

const loseInFebruary = async () => {
  goToTenth(1)
  await lose('1000')
}
const gainInMarch = async () => {
  goToTenth(2)
  await gain('1000')
}

describe('a loss is carried over', () => {
  test('a loss is carried over even if its month was never run', async () => {
    await loseInFebruary()
    await gainInMarch()
    goToSecond(3)
    await desk.run('2026-03-01', '2026-04-01')
    expect(short(await desk.lines())).toEqual(['1 revenue 0.00'])
    await desk.explainAll()
    // a run of that month afterwards changes no later month
    expect(await desk.run('2026-02-01', '2026-03-01')).toMatchObject({ lines: 1, corrections: 0 })
    expect(await desk.run('2026-02-01', '2026-04-01')).toMatchObject({ lines: 0, corrections: 0 })
    await desk.explainAll()
  })

  test('a loss is carried over months without trades, whether they were run or not', async () => {
    await loseInFebruary()
    goToTenth(5)
    await gain('400')
    goToSecond(4)
    await desk.run('2026-04-01', '2026-05-01')
    goToSecond(6)
    await desk.run('2026-06-01', '2026-07-01')
    expect((await desk.lines()).every(({ amount }) => amount === '0.00')).toBe(true)
    goToTenth(6)
    await gain('700')
    goToSecond(7)
    await desk.run('2026-07-01', '2026-08-01')
    expect(short(await desk.lines()).at(-1)).toBe('1 revenue 50.00')
    await desk.explainAll()
  })

  test('if the month of a loss lacks a rate, later months wait for it, in one run or in two', async () => {
    await loseInFebruary()
    await inRand()
    await gainInMarch()
    goToSecond(3)
    for (const [from, to] of [
      ['2026-02-01', '2026-04-01'],
      ['2026-03-01', '2026-04-01'],
    ] as const) {
      const run = await desk.run(from, to)
      expect(run.missingRates).toEqual([{ currency: 'ZAR', day: '2026-02-10' }])
      expect(run.lines).toBe(0)
    }
    await enter('2026-02-10')
    await desk.run('2026-02-01', '2026-04-01')
    expect(short(await desk.lines())).toEqual(['1 revenue 0.00', '1 revenue 0.00'])
    await desk.explainAll()
  })

  test('a month that waited for a rate is computed by whatever run comes next, months later', async () => {
    await loseInFebruary()
    await inRand()
    goToSecond(2)
    expect(await desk.run('2026-02-01', '2026-03-01')).toMatchObject({ lines: 0 })
    await enter('2026-02-10')
    goToSecond(5)
    // one line of February, and one of May, which carries February's loss over
    expect(await desk.run('2026-05-01', '2026-06-01')).toMatchObject({ lines: 2 })
  })

  test('a loss is carried over in a dry run of several months', async () => {
    await loseInFebruary()
    await gainInMarch()
    goToSecond(3)
    const dry = await desk.run('2026-02-01', '2026-04-01', true)
    expect(dry.totals.map(({ amount }: { amount: string }) => amount)).toEqual(['0.00'])
  })

  test('a loss is carried over if trades of its month, which had no run, are reported late', async () => {
    await gainInMarch()
    goToSecond(3)
    await desk.run('2026-03-01', '2026-04-01')
    expect(short(await desk.lines())).toEqual(['1 revenue 500.00'])
    await desk.trade(client, { spread: '0', swap: '600', closedAt: '2026-02-10T12:00:00Z' })
    await desk.run('2026-03-01', '2026-04-01')
    expect(short(await desk.lines())).toEqual(['1 correction -500.00', '1 revenue 200.00', '1 revenue 500.00'])
  })

  test('a loss is carried over if its month was booked and then lacks a rate', async () => {
    const rand = await desk.client(broker.id, { currency: 'ZAR' })
    goToTenth(1)
    await gain('10')
    goToSecond(2)
    await desk.run('2026-02-01', '2026-03-01')
    const at = { closedAt: '2026-02-10T12:00:00Z' }
    await desk.trade(client, { spread: '0', swap: '1000', ...at })
    await desk.trade(rand, { spread: '0.01', ...at })
    await gainInMarch()
    goToSecond(3)
    await desk.run('2026-02-01', '2026-03-01')
    expect(await desk.run('2026-03-01', '2026-04-01')).toMatchObject({ lines: 0, skipped: { no_rate: 2 } })
    await enter('2026-02-01')
    await desk.run('2026-03-01', '2026-04-01')
    const nets = (await desk.lines()).map(({ amount }) => Number(amount))
    // February is 10 - 1000, and March 1000: 5 were paid and are taken back, and 5 are earned later
    expect(nets.reduce((sum, amount) => sum + amount, 0)).toBe(5)
    await desk.explainAll()
  })
})

describe('a rate for past days', () => {
  const refused = async (rate: object, as = firm.as.admin, global = false) => {
    const { status, body } = await app.call('POST', '/v1/fx/rates/upsert', {
      as,
      body: { rates: [{ base: 'ZAR', quote: 'EUR', rate: '0.05', ...rate }], ...(global && { global }) },
    })
    return [status, body.errors?.[0]?.path ?? body.code]
  }
  const listed = async (query = '') => (await app.call('GET', `/v1/fx/rates${query}`, { as: firm.as.viewer })).body.data

  test('a rate for past days counts for days before the first rate, and for no conversion', async () => {
    goToTenth(1)
    await inRand()
    app.clock.set(Date.UTC(2026, 1, 20, 12))
    await desk.post('/v1/fx/rates/upsert', { rates: [{ base: 'EUR', quote: 'ZAR', rate: '25' }] })
    goToSecond(2)
    expect(await desk.run('2026-02-01', '2026-03-01')).toMatchObject({ lines: 0, skipped: { no_rate: 1 } })
    await enter('2026-02-15')
    await enter('2026-02-05', '0.08')
    expect(await refused({ since: '2026-02-07' })).toEqual([422, 'rates.0.since'])
    expect(await refused({ since: '2026-02-21' })).toEqual([422, 'rates.0.since'])
    const past = await listed('?past=true')
    expect(past.map(({ since, rate }: { since: string; rate: string }) => [since, rate])).toEqual([
      ['2026-02-15', '0.05'],
      ['2026-02-05', '0.08'],
    ])
    expect((await listed()).map(({ rate, since }: { rate: string; since: null }) => [rate, since])).toEqual([
      ['25', null],
    ])
    const { body } = await app.call('GET', '/v1/fx/convert?amount=100.00&base=ZAR&quote=EUR', { as: firm.as.viewer })
    expect(body.result).toBe('4.00')
    await desk.run('2026-02-01', '2026-03-01')
    await desk.explainAll()
    expect(await desk.lines()).toHaveLength(1)
  })

  test('a rate for past days is refused for today, for a currency with itself, and without the right to set rates', async () => {
    goToSecond(2)
    expect(await refused({ since: '2026-03-02' })).toEqual([422, 'rates.0.since'])
    expect(await refused({ since: '2026-02-30' })).toEqual([422, 'rates.0.since'])
    expect(await refused({ since: '1989-12-31' })).toEqual([422, 'rates.0.since'])
    expect(await refused({ since: '2026-02-01' }, firm.as.manager)).toEqual([403, 'forbidden'])
    expect(await refused({ since: '2026-02-01' }, firm.as.platform_admin, true)).toEqual([422, 'rates.0.since'])
    expect(await listed('?past=true')).toEqual([])
  })

  test('a rate for past days is removed and entered again; another firm does not see it', async () => {
    goToSecond(2)
    await enter('2026-02-10')
    const [{ id }] = await listed('?past=true')
    const other = await app.firm('other')
    expect((await app.call('GET', '/v1/fx/rates?past=true', { as: other.as.owner })).body.data).toEqual([])
    const remove = (as = firm.as.admin) => app.call('DELETE', `/v1/fx/rates/${id}`, { as })
    expect((await remove(other.as.owner)).status).toBe(404)
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
    expect(await listed('?past=true')).toEqual([])
    await enter('2026-02-10', '0.06')
    expect(await listed('?past=true')).toMatchObject([{ rate: '0.06' }])
  })
})
