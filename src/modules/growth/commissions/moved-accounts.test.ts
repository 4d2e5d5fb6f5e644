import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeEach(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterEach(() => desk.close())

test('a trade on an account that later gets another client is paid to one broker, not to both', async () => {
  app.clock.set(Date.UTC(2026, 0, 20))
  const before = await desk.affiliate(await desk.plan([lot('10')]))
  const after = await desk.affiliate(await desk.plan([{ model: 'revenue', symbols: ['*'], rate: '1' }]))
  const [from, to] = [await desk.client(before.id), await desk.client(after.id)]
  app.clock.advance(60_000)
  await desk.trade(from, { spread: '10' })
  app.clock.set(Date.UTC(2026, 0, 31, 12))
  await desk.run('2026-01-01', '2026-01-31')
  const earned = async (of: { id: string }): Promise<number> =>
    (await desk.lines())
      .filter(({ affiliateId }) => affiliateId === of.id)
      .reduce((sum, { amount }) => sum + Number(amount), 0)
  expect([await earned(before), await earned(after)]).toEqual([10, 0])

  app.clock.advance(60_000)
  const { data } = (await app.call('GET', `/v1/accounts?traderId=${from}`, { as: firm.as.viewer })).body
  await desk.patch(`/v1/accounts/${data[0].id}`, { traderId: to }, firm.as.manager)
  app.clock.set(Date.UTC(2026, 1, 2))
  await desk.run('2026-01-31', '2026-02-01')
  expect([await earned(before), await earned(after)]).toEqual([0, 10])
})
