import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Firm, TestApp } from '../../../testing/app.ts'
import { type BrokerDesk, lot, openBrokerDesk } from '../../../testing/broker-desk.ts'

let app: TestApp
let firm: Firm
let desk: BrokerDesk
beforeAll(async () => {
  ;({ app, firm, desk } = await openBrokerDesk())
})
afterAll(() => desk.close())

const terms = { currency: 'EUR', override: 'difference', maxLevels: 2, cap: '1' }
const calculate = (rules: object[], trade: object, more: object = {}) =>
  app.call('POST', '/v1/commission-plans/calculate', {
    as: firm.as.admin,
    body: { ...terms, rules, trade: { symbol: 'EURUSD', lots: '2', spread: '20', ...trade }, ...more },
  })

test('calculating unsaved terms answers what each level would get from a trade, and changes nothing', async () => {
  const above = [await desk.plan([lot('7')])]
  firm.effects()
  const { status, body } = await calculate([lot('5')], {}, { above })
  expect(status).toBe(200)
  expect(body.levels).toEqual([
    { level: 1, rate: '5', amount: '10.00', cut: false },
    { level: 2, rate: '2', amount: '4.00', cut: false },
  ])
  expect(body.steps).toHaveLength(3)
  expect(firm.effects()).toEqual({ events: [], actions: [] })
})

test('missing facts of a trade count as zero, and plans above count in their present version', async () => {
  const [above = ''] = [await desk.plan([lot('7')])]
  await desk.patch(`/v1/commission-plans/${above}`, { rules: [lot('9')] })
  expect((await calculate([lot('5')], {}, { above: [above] })).body.levels[1].rate).toBe('4')
  expect((await calculate([lot('5')], { spread: '5' })).body.levels).toEqual([
    { level: 1, rate: '5', amount: '5.00', cut: true },
  ])
})

test('a trade without a fitting rule earns nothing, and the answer says why', async () => {
  const { body } = await calculate([lot('5', ['XAU*'])], {})
  expect(body).toMatchObject({ levels: [], steps: ['No rule for trades fits this symbol.'] })
})

test('a missing rate is reported at the field of its currency: that of the account, or of a plan above', async () => {
  const foreign = await calculate([lot('5')], { currency: 'USD' })
  expect([foreign.status, foreign.body.errors]).toMatchObject([422, [{ path: 'trade.currency' }]])
  const above = [await desk.plan([lot('700')], { currency: 'JPY' })]
  const { body } = await calculate([lot('5')], {}, { above })
  expect(body.errors).toMatchObject([{ path: 'above', message: 'has no rate from JPY to EUR' }])
  expect((await calculate([lot('5')], {}, { above: ['cpl_nothing'] })).body.errors).toMatchObject([
    { path: 'above.0', code: 'unknown' },
  ])
})
