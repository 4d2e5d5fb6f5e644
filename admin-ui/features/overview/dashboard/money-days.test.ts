import { expect, test } from 'bun:test'
import type { Dashboard } from './dashboard.api.ts'
import { barAfter, byCurrency, othersToday, scaleBars } from './money-days.ts'

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

test('the figures of each currency have every day and the waiting money', () => {
  const [eur, usdt, ...others] = byCurrency(dashboard)
  expect(others).toEqual([])
  expect([eur?.deposits, eur?.withdrawals]).toEqual([sum(2, '300.00'), sum(1, '75.00')])
  expect(eur?.days.map(({ net }) => net)).toEqual(['0', '225.00'])
  expect(eur?.today?.deposits).toEqual(sum(2, '300.00'))
  expect(eur?.waiting.deposits).toEqual(sum(0, '0'))
  expect([usdt?.waiting.toApprove, usdt?.waiting.toPay]).toEqual([sum(1, '1.500000'), sum(2, '0.250000')])
  expect(usdt?.net).toBe('0')
})

test('other currencies are shown for today if money moved in them', () => {
  const all = byCurrency(dashboard)
  expect(othersToday(all, 'EUR')).toEqual([])
  expect(othersToday(all, 'USDT').map(({ currency, today }) => [currency, today.deposits.amount])).toEqual([
    ['EUR', '300.00'],
  ])
})

test('arrows move between the bars of money and stop at the ends', () => {
  expect(barAfter('ArrowLeft', { index: 1, side: 'in' }, 3)).toEqual({ index: 0, side: 'in' })
  expect(barAfter('ArrowLeft', { index: 0, side: 'in' }, 3)).toEqual({ index: 0, side: 'in' })
  expect(barAfter('ArrowRight', { index: 2, side: 'out' }, 3)).toEqual({ index: 2, side: 'out' })
  expect(barAfter('End', { index: 0, side: 'out' }, 3)).toEqual({ index: 2, side: 'out' })
  expect(barAfter('ArrowDown', { index: 1, side: 'in' }, 3)).toEqual({ index: 1, side: 'out' })
  expect(barAfter('Enter', { index: 1, side: 'in' }, 3)).toBeNull()
})

test('the bars of money in and out have one scale, and the smaller side keeps a least height', () => {
  const [eur] = byCurrency(dashboard)
  const days = eur?.days ?? []
  const both = scaleBars(days)
  expect([both.share, both.days[0]]).toEqual([0.8, { up: 0, down: 0 }])
  expect(both.days[1]?.up).toBeCloseTo(100)
  expect(both.days[1]?.down).toBeCloseTo(100)
  const [idle, busy] = days
  if (!idle || !busy) throw new Error('the dashboard has two days')
  // the smaller side gets 12 per cent of the height at least, and its bars have the scale of the larger side
  const onlyIn = scaleBars([idle, { ...busy, withdrawals: sum(1, '3.00') }])
  expect(onlyIn.share).toBe(0.88)
  expect(onlyIn.days[1]?.up).toBeCloseTo(100)
  expect(onlyIn.days[1]?.down).toBeCloseTo((3 / 300) * (0.88 / 0.12) * 100)
  expect(scaleBars([{ ...busy, deposits: sum(0, '0') }])).toEqual({ share: 0.12, days: [{ up: 0, down: 100 }] })
  expect(scaleBars([idle])).toEqual({ share: 0.5, days: [{ up: 0, down: 0 }] })
})
