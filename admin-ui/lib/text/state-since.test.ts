import { expect, test } from 'bun:test'
import { stateSince } from './state-since.ts'

const ASKED = { status: 'pending', createdAt: '2026-01-01', updatedAt: '2026-01-09' }

test('the date beside a state is the one on which the payment came into it', () => {
  expect(stateSince(ASKED)).toBe('2026-01-01')
  expect(stateSince({ ...ASKED, firstWord: { at: '2026-01-02' } })).toBe('2026-01-02')
  expect(stateSince({ ...ASKED, status: 'settled', settledAt: '2026-01-03' })).toBe('2026-01-03')
  expect(stateSince({ ...ASKED, status: 'approved', approvedAt: '2026-01-04', paidAt: null })).toBe('2026-01-04')
  expect(stateSince({ ...ASKED, status: 'paid', approvedAt: '2026-01-04', paidAt: '2026-01-05' })).toBe('2026-01-05')
  for (const status of ['failed', 'rejected', 'cancelled'])
    expect(stateSince({ ...ASKED, status, approvedAt: '2026-01-04' })).toBe('2026-01-09')
})
