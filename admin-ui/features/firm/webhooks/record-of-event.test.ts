import { expect, test } from 'bun:test'
import { findRecordLink } from './record-of-event.ts'

const of = (body: unknown) => findRecordLink(JSON.stringify(body))

test('an event links to its deposit before its client, and to nothing if it names no record', () => {
  expect(of({ payload: { traderId: 'trd_1', depositId: 'dep_1' } })).toEqual({
    to: '/deposits/dep_1',
    key: 'webhooks.about.deposit',
  })
  expect(of({ payload: { traderId: 'trd_1' } })?.to).toBe('/traders/trd_1')
  expect([of(null), of('x'), of({ payload: { depositId: 7 } }), findRecordLink('{"payload"')]).toEqual([
    null,
    null,
    null,
    null,
  ])
})
