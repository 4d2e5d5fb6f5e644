import { expect, test } from 'bun:test'
import { filterText } from './filter-text.ts'
import type { Filter } from './filters.ts'

const STATUS: Filter = {
  key: 'status',
  label: 'Status',
  options: [
    { value: 'pending', label: 'Pending' },
    { value: 'settled', label: 'Settled' },
  ],
  fallback: 'pending',
}
const DAYS: Filter = { key: 'from', until: 'to', label: 'Announced', kind: 'days' }
const AMOUNT: Filter = { key: 'amountFrom', until: 'amountTo', label: 'Amount', kind: 'amount' }

test('a chosen filter is shown by its options’ names, and an unknown option as it is', () => {
  expect(filterText(STATUS, {})).toBe('Pending')
  expect(filterText(STATUS, { status: 'pending,settled' })).toBe('Pending, Settled')
  expect(filterText(STATUS, { status: 'nonsense' })).toBe('nonsense')
  expect(filterText(STATUS, { status: '*' })).toBe('')
})

test('the filter of a period is shown by its name, its days, or its only end', () => {
  expect(filterText(DAYS, {})).toBe('')
  expect(filterText(DAYS, { from: 'today' })).toBe('Today')
  expect(filterText(DAYS, { from: '2026-11-02', to: '2026-11-02' })).toBe('Nov 2, 2026')
  expect(filterText(DAYS, { from: '2026-11-02', to: '2026-11-21' })).toBe('Nov 2, 2026 – Nov 21, 2026')
  expect(filterText(DAYS, { from: '2026-11-02' })).toBe('since Nov 2, 2026')
  expect(filterText(DAYS, { to: '2026-11-21' })).toBe('until Nov 21, 2026')
  expect(filterText(DAYS, { from: 'notadate' })).toBe('since notadate')
})

test('amounts of a filter are grouped', () => {
  expect(filterText(AMOUNT, { amountFrom: '1000', amountTo: '25000.50' })).toBe('1,000 – 25,000.50')
  expect(filterText(AMOUNT, { amountTo: '25000' })).toBe('at most 25,000')
})
