import { expect, test } from 'bun:test'
import { gatherMissing } from './missing-rates.ts'

const missing = (day: string, amount: string, currency = 'JPY') => ({ currency, day: `2026-11-${day}`, amount })

test('missing rates of one currency and day on several pages are one line with the exact sum', () => {
  expect(
    gatherMissing([
      { missingRates: [missing('01', '0.10', 'GBP'), missing('02', '100')] },
      { missingRates: [] },
      { missingRates: [missing('01', '0.20', 'GBP'), missing('01', '7'), missing('02', '-30')] },
    ]),
  ).toEqual([missing('01', '0.30', 'GBP'), missing('02', '70'), missing('01', '7')])
})
