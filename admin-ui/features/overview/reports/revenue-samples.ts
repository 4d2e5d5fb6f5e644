import type { Revenue } from './reports.api.ts'

type Earned = Revenue['earned']
/** Builds what a firm earned in a period: nothing, but for what is given. */
export const earnings = (from: string, to: string, with_: Partial<Earned> = {}): Earned => ({
  from,
  to,
  total: '0.00',
  parts: [],
  data: [],
  trades: 0,
  withoutSpread: 0,
  unlinked: 0,
  missingRates: [],
  ...with_,
})
/** Builds a report of revenue with affiliate costs. */
export const revenue = (with_: Partial<Revenue> = {}): Revenue => ({
  from: '2026-11-01',
  to: '2026-12-01',
  timeZone: 'UTC',
  asOf: '2026-11-20T10:00:00.000Z',
  currency: 'EUR',
  total: '1320.50',
  sources: [
    { sourceType: 'trade', count: 1, converted: '1300.00' },
    { sourceType: 'deposit', count: 0, converted: '0.00' },
    { sourceType: 'override', count: 12, converted: '20.50' },
  ],
  data: [
    { sourceType: 'trade', currency: 'USD', count: 1, amount: '1410.00', converted: '1300.00' },
    { sourceType: 'override', currency: 'JPY', count: 12000, amount: '3000', converted: null },
  ],
  days: [{ day: '2026-11-02', sourceType: 'trade', converted: '1300.00' }],
  missingRates: [],
  earned: earnings('2026-11-01', '2026-12-01'),
  earnedBefore: earnings('2026-10-02', '2026-11-01'),
  net: '0.00',
  ...with_,
})
