import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'
import { runBatch } from './batches.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

const [from, to] = [Date.UTC(2026, 0, 16), Date.UTC(2026, 0, 18)]
type Order = Parameters<typeof runBatch>[1]
/** Computes batches of two, one after the other, from a phase on, without writing them. */
function batches(phase: Order['phase'], order: Partial<Order> = {}) {
  const { db } = systemCtx(app.platform, firm.tenantId, 'test')
  const usual = { fromAt: from, toAt: to, timeZone: 'UTC', since: null, covered: [], size: 2, totals: [] }
  const found: { sources: number; lines: number }[] = []
  for (let next: { phase: Order['phase'] | null; cursor: string } = { phase, cursor: '' }; next.phase !== null; ) {
    const batch = runBatch(db, { ...usual, ...order, phase: next.phase, cursor: next.cursor })
    found.push({ sources: batch.sources, lines: batch.lines.length })
    next = batch
  }
  return found
}
const tradeAt = (client: string, ...times: number[]) =>
  desk.trade(client, ...times.map((at) => ({ closedAt: new Date(at).toISOString() })))

test('a full batch is followed by another one, until a batch is not full', async () => {
  const client = await desk.client((await desk.affiliate(await desk.plan([lot('5')]))).id)
  app.clock.set(Date.UTC(2026, 0, 20))
  await tradeAt(client, from, from + 1, to - 2, to - 1, to)
  const full = { sources: 2, lines: 2 }
  expect(batches('trades')).toEqual([full, full, { sources: 0, lines: 0 }])
  await tradeAt(client, from + 2)
  expect(batches('trades')).toEqual([full, full, { sources: 1, lines: 1 }, { sources: 0, lines: 0 }])
})

test('a late trade counts if it closed within the days of an earlier run, the end excluded', async () => {
  const client = await desk.client((await desk.affiliate(await desk.plan([lot('5')]))).id)
  app.clock.set(Date.UTC(2026, 0, 20))
  await tradeAt(client, from - 1, from, to - 1, to)
  const found = batches('late', { fromAt: to + 1, toAt: to + 2, since: from, covered: [[from, to]] })
  expect(found.reduce((sum, { lines }) => sum + lines, 0)).toBe(2)
})

test('acquired clients are found two at a time', async () => {
  const cpa = { model: 'cpa', symbols: ['*'], rate: '10', minDeposit: '1.00' }
  const { id } = await desk.affiliate(await desk.plan([cpa]))
  app.clock.set(from)
  for (let n = 0; n < 4; n += 1) {
    const deposit = { traderId: await desk.client(id), currency: 'EUR', amount: '10', method: 'bank' }
    const { id: made } = await desk.post('/v1/deposits', deposit, firm.as.operator)
    await desk.post(`/v1/deposits/${made}/settle`, undefined, firm.as.manager)
  }
  const found = (order: Partial<Order>) => batches('deposits', order).map(({ lines }) => lines)
  expect(found({})).toEqual([2, 2, 0])
  expect(found({ fromAt: from + 1 })).toEqual([0])
  expect(found({ fromAt: from - 1, toAt: from })).toEqual([0])
})

test('a client who traded enough at the very end of the days is acquired in the next days', async () => {
  const cpa = { model: 'cpa', symbols: ['*'], rate: '10', minDeposit: '1.00', minLots: '1' }
  const client = await desk.client((await desk.affiliate(await desk.plan([cpa]))).id)
  app.clock.set(from)
  await desk.deposit(client, '10')
  app.clock.set(Date.UTC(2026, 0, 20))
  await tradeAt(client, to)
  const lines = (toAt: number) => batches('deposits', { toAt }).map(({ lines }) => lines)
  expect([lines(to), lines(to + 1)]).toEqual([[0], [1, 0]])
})

test('runs of later days do not change a month that was computed', async () => {
  const low = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '0.5' }]))
  const client = await desk.client(low.id)
  for (const month of [0, 1]) {
    app.clock.set(Date.UTC(2026, month, 20))
    await desk.trade(client, { spread: '10' })
  }
  app.clock.set(Date.UTC(2026, 3, 2))
  await desk.run('2026-01-01', '2026-02-01')
  const earners = (month: number) => {
    const days = { fromAt: Date.UTC(2026, month, 1), toAt: Date.UTC(2026, month + 1, 1) }
    return batches('months', days).reduce((sum, { sources }) => sum + sources, 0)
  }
  expect([earners(1), earners(2)]).toEqual([1, 0])
})
