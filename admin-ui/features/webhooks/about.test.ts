import { expect, test } from 'bun:test'
import { placeOf } from './about.ts'

test('an event leads to what it is about, the money before the client', () => {
  expect(placeOf({ payload: { traderId: 'trd_1', depositId: 'dep_1' } })).toEqual({
    to: '/deposits/dep_1',
    word: 'webhooks.about.deposit',
  })
  expect(placeOf({ payload: { traderId: 'trd_1' } })?.to).toBe('/traders/trd_1')
  expect([placeOf(null), placeOf('x'), placeOf({ payload: { depositId: 7 } })]).toEqual([null, null, null])
})
