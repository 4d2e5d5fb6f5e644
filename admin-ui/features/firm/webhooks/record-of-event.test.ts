import { expect, test } from 'bun:test'
import { placeOf } from './record-of-event.ts'

const of = (body: unknown) => placeOf(JSON.stringify(body))

test('an event links to its record, the money before the client', () => {
  expect(of({ payload: { traderId: 'trd_1', depositId: 'dep_1' } })).toEqual({
    to: '/deposits/dep_1',
    word: 'webhooks.about.deposit',
  })
  expect(of({ payload: { traderId: 'trd_1' } })?.to).toBe('/traders/trd_1')
  expect([of(null), of('x'), of({ payload: { depositId: 7 } }), placeOf('{"payload"')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
