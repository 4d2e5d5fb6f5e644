import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let desk: BrokerDesk
let broker: string
beforeAll(async () => {
  ;({ desk } = await openBrokerDesk())
  const rates = [{ base: 'USC', quote: 'EUR', rate: '0.009' }]
  await desk.post('/v1/fx/rates/upsert', { rates })
  const cpa = { model: 'cpa', symbols: ['*'], rate: '50', minLots: '2' }
  broker = (await desk.affiliate(await desk.plan([lot('7'), cpa]))).id
})
afterAll(() => desk.close())

const amounts = async () => (await desk.lines()).map(({ model, amount }) => `${model} ${amount}`).toSorted()

test('a lot on an account in cents counts as a hundredth, both for payments by lot and for acquisitions', async () => {
  const client = await desk.client(broker, { currency: 'USC' })
  await desk.deposit(client, '500')
  await desk.trade(client, { volume: '150', spread: '10000' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  expect(await amounts()).toEqual(['lot 10.50'])
  await desk.trade(client, { volume: '50', spread: '10000' })
  desk.tomorrow()
  await desk.run(desk.day(-1), desk.day())
  expect(await amounts()).toEqual(['cpa 50.00', 'lot 10.50', 'lot 3.50'])
})
