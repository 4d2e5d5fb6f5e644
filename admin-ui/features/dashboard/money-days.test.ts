import { expect, test } from 'bun:test'
import type { Dashboard } from './dashboard.api.ts'
import { byCurrency, heightsOf } from './money-days.ts'

const sum = (count: number, amount: string) => ({ count, amount })
const dashboard: Dashboard = {
  from: '2026-03-01',
  to: '2026-03-03',
  today: '2026-03-02',
  timeZone: 'UTC',
  asOf: '2026-03-02T12:00:00.000Z',
  days: ['01', '02'].map((day) => ({
    day: `2026-03-${day}`,
    startsAt: `2026-03-${day}T00:00:00.000Z`,
    endsAt: `2026-03-0${Number(day) + 1}T00:00:00.000Z`,
    registrations: 0,
    firstDeposits: 0,
  })),
  money: [
    {
      currency: 'EUR',
      deposits: sum(2, '300.00'),
      withdrawals: sum(1, '75.00'),
      net: '225.00',
      days: [{ day: '2026-03-02', deposits: sum(2, '300.00'), withdrawals: sum(1, '75.00'), net: '225.00' }],
    },
  ],
  waiting: [
    {
      currency: 'USDT',
      deposits: sum(0, '0.000000'),
      requestedWithdrawals: sum(1, '1.500000'),
      approvedWithdrawals: sum(2, '0.250000'),
    },
  ],
}

test('every currency has every day, and what waits of it', () => {
  const [eur, usdt, ...others] = byCurrency(dashboard)
  expect(others).toEqual([])
  expect(eur?.days.map(({ net }) => net)).toEqual(['0', '225.00'])
  expect(eur?.today?.deposits).toEqual(sum(2, '300.00'))
  expect(eur?.waiting.deposits).toEqual(sum(0, '0'))
  expect([usdt?.waiting.toApprove, usdt?.waiting.toPay]).toEqual([sum(1, '1.500000'), sum(2, '0.250000')])
  expect(usdt?.net).toBe('0')
})

test('bars are drawn to one scale, and the smallest amount is seen', () => {
  const [eur] = byCurrency(dashboard)
  expect(heightsOf(eur?.days ?? [])).toEqual([
    { up: 0, down: 0 },
    { up: 100, down: 25 },
  ])
  expect(heightsOf([])).toEqual([])
})
