import { expect, test } from 'bun:test'
import {
  currencyInGroup,
  nameParts,
  readDay,
  readDecimal,
  readLeverage,
  splitAmount,
  yesOrNo,
} from './imports.cell-values.ts'

test.each([
  ['13/12/1990', '1990-12-13'],
  ['12/13/1990', '1990-12-13'],
  ['12/12/1990', '1990-12-12'],
  ['1/1/1990', '1990-01-01'],
  ['11.12.1990', '1990-12-11'],
  ['31-12-1990', '1990-12-31'],
  ['12/31/1990 0:00', '1990-12-31'],
  ['1990-12-31T00:00:00Z', '1990-12-31'],
  ['1990-12-31 00:00:00.000', '1990-12-31'],
  ['1990.12.31', '1990-12-31'],
  ['1990-12-30T22:00:00Z', '1990-12-30T22:00:00Z'],
  ['summer 1990', 'summer 1990'],
])('the day %s is read as %s, since 12 can be a month and 13 cannot', (text, day) => {
  expect(readDay(text, undefined)).toBe(day)
})

test.each(['11/12/1990', '12-11-1990', '1/2/1990 0:00'])(
  'the day %s is ambiguous, and is read as the uploader says',
  (text) => {
    expect(readDay(text, undefined)).toBeNull()
    const [first = '', second = ''] = text.split(/[-/]/).map((part) => part.padStart(2, '0'))
    expect(readDay(text, 'day_first')).toBe(`1990-${second}-${first}`)
    expect(readDay(text, 'month_first')).toBe(`1990-${first}-${second}`)
  },
)

test.each([
  ['125.500', undefined, '125.500'],
  ['1,944.50', undefined, '1944.50'],
  ['1.944,50', undefined, '1944.50'],
  ['1 234,56', undefined, '1234.56'],
  ['1,234', undefined, '1,234'],
  ['1,234', 'comma', '1.234'],
  ['1,234', 'point', '1234'],
  ['1.234', 'comma', '1234'],
  ['1.234', 'point', '1.234'],
  ['12.34', 'comma', '12.34'],
  ['1.234,5', 'point', '1234.5'],
  ['0.125', 'comma', '0.125'],
  ['-0.125', 'comma', '-0.125'],
  ['0,125', 'comma', '0.125'],
  ['0,125', 'point', '0,125'],
  ['0,125.50', undefined, '0,125.50'],
  ['0 125', undefined, '0 125'],
  ['1.2340', 'comma', '1.234'],
  ['1.2345', 'comma', '1.2345'],
] as const)('the amount %s in a file with the decimal sign %s is read as %s', (text, decimals, amount) => {
  expect(readDecimal(text, decimals)).toBe(amount)
})

test('the code of its currency may stand beside an amount', () => {
  expect(splitAmount('125.500 KWD')).toEqual({ amount: '125.500', code: 'KWD' })
  expect(splitAmount('USDT1.5')).toEqual({ amount: '1.5', code: 'USDT' })
  expect(splitAmount('1 234,56 EUR')).toEqual({ amount: '1 234,56', code: 'EUR' })
  expect(splitAmount('12 XYZ')).toEqual({ amount: '12 XYZ', code: undefined })
  expect(splitAmount('-3')).toEqual({ amount: '-3', code: undefined })
})

test.each([
  ['500', 500],
  ['1:500', 500],
  ['1 : 100', 100],
  ['500:1', 500],
  ['1:Unlimited', undefined],
  ['0', undefined],
  ['1:10001', undefined],
])('the leverage %s is read as %p', (text, times) => {
  expect(readLeverage(text, { min: 1, max: 10_000 })).toBe(times)
})

test.each([
  ['real\\EUR-ECN', 'EUR'],
  ['real-usd', 'USD'],
  ['real\\ALL-USD', 'USD'],
  ['real\\TOP', undefined],
  ['real\\EUR-USD', undefined],
  ['real\\cent-USD', undefined],
  ['real\\standard', undefined],
])('the currency that the group %s names is %p', (group, currency) => {
  expect(currencyInGroup(group)).toBe(currency)
})

test('a type of account is a practice account if it says so, and otherwise unknown', () => {
  expect(['Demo', 'MT5 demo', 'yes', 'live', 'Standard', 'ECN'].map(yesOrNo)).toEqual([
    true,
    true,
    true,
    false,
    undefined,
    undefined,
  ])
})

test('the word after the last blank of a name is the family name, and so is a single word', () => {
  expect(nameParts('Ada King Byron')).toEqual({ firstName: 'Ada King', lastName: 'Byron' })
  expect(nameParts('Byron')).toEqual({ lastName: 'Byron' })
  expect(nameParts(' Byron')).toEqual({ firstName: '', lastName: 'Byron' })
})
