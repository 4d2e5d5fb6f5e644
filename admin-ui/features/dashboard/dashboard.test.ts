import { expect, test } from 'bun:test'
import type { Deposit } from '../deposits/deposits.api.ts'
import { sumByDay } from './dashboard.api.ts'

const deposit = (currency: string, settledAmount: string | null, settledAt: string | null): Deposit => ({
  id: 'dep_1',
  traderId: 'trd_1',
  pspConnectionId: null,
  providerReference: null,
  method: 'bank',
  currency,
  amount: '1.00',
  settledAmount,
  status: 'settled',
  failureReason: null,
  note: null,
  providerPayload: {},
  settledAt,
  announcedBy: null,
  settledBy: null,
  firstWord: null,
  repeatOf: null,
  version: 1,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
})

// No zone: these are noons of the zone the test runs in.
const noon = (day: string): string => new Date(`${day}T12:00:00`).toISOString()

test('sums exactly by day, keeps currencies apart, leaves out other days and the unsettled', () => {
  const sums = sumByDay(
    [
      deposit('USD', '5.00', noon('2026-03-02')),
      deposit('EUR', '0.10', noon('2026-03-02')),
      deposit('EUR', '0.20', noon('2026-03-02')),
      deposit('EUR', '7.00', noon('2026-02-01')),
      deposit('EUR', null, null),
    ],
    ['2026-03-01', '2026-03-02'],
  )
  expect(sums).toEqual([
    {
      currency: 'EUR',
      total: '0.30',
      days: [
        { day: '2026-03-01', amount: '0' },
        { day: '2026-03-02', amount: '0.30' },
      ],
    },
    {
      currency: 'USD',
      total: '5.00',
      days: [
        { day: '2026-03-01', amount: '0' },
        { day: '2026-03-02', amount: '5.00' },
      ],
    },
  ])
})
