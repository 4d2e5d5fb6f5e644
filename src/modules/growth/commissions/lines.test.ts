import { afterAll, beforeAll, expect, test } from 'bun:test'
import { DAY, toIso } from '../../../platform/clock.ts'
import type { Caller, Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
let [top, low] = [
  { id: '', trader: '' },
  { id: '', trader: '' },
]
let client = ''
beforeAll(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
  const cpa = { model: 'cpa', symbols: ['*'], rate: '100' }
  top = await desk.affiliate(await desk.plan([lot('7')]))
  low = await desk.affiliate(await desk.plan([lot('5'), cpa]), top.id)
  client = await desk.client(low.id)
  await desk.deposit(client, '500')
  await desk.trade(client, { volume: '2', spread: '100' }, { volume: '1', spread: '100' })
  await desk.trade(await desk.client(top.id), { volume: '4', spread: '100' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
})
afterAll(() => desk.close())

const bySymbol = async (query: string, as: Caller = firm.as.manager) =>
  (await app.call('GET', `/v1/affiliates/commissions/by-symbol${query}`, { as })).body
const row = (lots: string, amount: string, lines: number) => [
  { symbol: 'EURUSD', currency: 'EUR', lots, amount, lines },
]

test('sums by symbol count each lot once at the client’s broker; those of one affiliate count lots at any level', async () => {
  expect((await bySymbol('')).data).toEqual(row('7.00', '49.00', 5))
  expect((await bySymbol(`?affiliateId=${top.id}`)).data).toEqual(row('7.00', '34.00', 3))
  expect((await bySymbol(`?affiliateId=${low.id}`)).data).toEqual(row('3.00', '15.00', 2))
})

test('sums by symbol show an introducing broker only their own, whatever is asked for', async () => {
  const as = await firm.traderSession(top.trader)
  expect((await bySymbol('', as)).data).toEqual(row('7.00', '34.00', 3))
  expect((await bySymbol(`?affiliateId=${top.id}`, as)).data).toEqual(row('7.00', '34.00', 3))
  expect((await bySymbol(`?affiliateId=${low.id}`, as)).data).toEqual([])
})

test('sums by symbol cover 90 days until now by default; an empty period is refused', async () => {
  const now = app.clock.now()
  expect(await bySymbol('')).toMatchObject({ from: toIso(now - 90 * DAY), to: toIso(now) })
  expect(await bySymbol(`?from=${toIso(now - DAY)}`)).toMatchObject({ from: toIso(now - DAY), to: toIso(now) })
  expect(await bySymbol(`?from=${toIso(now)}`)).toMatchObject({ from: toIso(now), to: toIso(now + 1), data: [] })
  expect(await bySymbol(`?to=${toIso(now - DAY)}`)).toMatchObject({ from: toIso(now - 91 * DAY), data: [] })
  expect((await bySymbol(`?from=${toIso(now)}&to=${toIso(now)}`)).errors[0].path).toBe('query.to')
})

test('a line shows client and position to the firm and the client’s broker, and not to those above', async () => {
  const read = async (as: Caller) =>
    (await app.call('GET', '/v1/affiliates/commissions?sort=occurredAt', { as })).body.data
  const session = (trader: string) => firm.traderSession(trader)
  type Line = { level: number; traderId: string | null; sourceId: string | null; lots: string | null }
  const above: Line[] = await read(await session(top.trader))
  expect(above.map(({ level }) => level).sort()).toEqual([1, 2, 2])
  for (const { level, traderId, sourceId } of above)
    expect([traderId, sourceId].map((id) => id !== null)).toEqual([level === 1, level === 1])
  for (const line of await read(await session(low.trader))) expect(line).toMatchObject({ level: 1, traderId: client })
  const lots = (await read(firm.as.manager)).map(({ lots }: Line) => lots).sort()
  expect(lots).toEqual(['1.00', '1.00', '2.00', '2.00', '4.00', null])
})

test('the explanation of a trade states its spread in its own currency', async () => {
  const { data } = (await app.call('GET', '/v1/affiliates/commissions?sort=occurredAt', { as: firm.as.manager })).body
  const line = data.find(({ level, lots }: { level: number; lots: string | null }) => level === 1 && lots === '2.00')
  const { inputs, steps } = await desk.explain(line.id)
  expect(inputs).toMatchObject({ lots: '2.00', spread: '100.00' })
  expect(steps[0]).toContain('2.00')
})
