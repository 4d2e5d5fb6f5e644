import { expect, test } from 'bun:test'
import { formatWorkKey, linkToWork, type MyWork, unseen } from './mine.ts'

const ticket: MyWork = {
  kind: 'ticket',
  id: 'tck_1',
  title: 'Help',
  name: 'Ada Example',
  amount: null,
  currency: null,
  at: '2026-01-15T12:00:00.000Z',
}

test('assigned work is new until it was looked at, and a ticket is new again after a message', () => {
  expect(unseen([ticket], [])).toEqual([ticket])
  const seen = [formatWorkKey(ticket)]
  expect(unseen([ticket], seen)).toEqual([])
  expect(unseen([{ ...ticket, at: '2026-01-15T13:00:00.000Z' }], seen)).toHaveLength(1)
})

test('each kind of assigned work links to its page', () => {
  expect(linkToWork(ticket)).toEqual({ to: '/support/tck_1', search: {} })
  expect(linkToWork({ kind: 'kyc', id: 'kyc_1' }).to).toBe('/kyc/kyc_1')
})
