import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  amountRule,
  fitAmount,
  heldAs,
  printAmount,
  printApart,
  RATE,
  type Reading,
  readAmount,
} from './amount-text.ts'

const ok = (amount: string): Reading => ({ state: 'ok', amount })
const doubt = (grouped: string, decimal: string): Reading => ({ state: 'doubt', readings: [grouped, decimal] })

describe('reads', () => {
  test.each([
    ['1,500.00', 2, '1500.00'],
    ['1.500,00', 2, '1500.00'],
    ['1 500,00', 2, '1500.00'],
    ['1\u202f500,00', 2, '1500.00'],
    ["1'500.00", 2, '1500.00'],
    ['1’500.00', 2, '1500.00'],
    ['1,890.66', 2, '1890.66'],
    ['1.234.567,8', 2, '1234567.80'],
    ['1,234,567', 2, '1234567.00'],
    ['1,5', 2, '1.50'],
    ['.5', 2, '0.50'],
    ['0,500', 3, '0.500'],
    ['1500,500', 3, '1500.500'],
    ['1 500,000', 6, '1500.000000'],
    ['1.5000', 2, '1.50'],
    ['007', 0, '7'],
    ['1,500', 0, '1500'],
    ['1,505', 2, '1505.00'],
    [' 12000 ', 2, '12000.00'],
    ['−1,500.5', 2, '-1500.50'],
    ['-0', 2, '0.00'],
  ])('the text %s with %d decimals is read as an amount', (text, scale, amount) => {
    expect(readAmount(text, scale)).toEqual(ok(amount))
  })

  test('one separator before three digits may be either, if the currency has three decimals or more', () => {
    expect(readAmount('1,500', 2)).toEqual(ok('1500.00'))
    expect(readAmount('1.500', 2)).toEqual(ok('1500.00'))
    expect(readAmount('1,500', 3)).toEqual(doubt('1500.000', '1.500'))
    expect(readAmount('1,500', 6)).toEqual(doubt('1500.000000', '1.500000'))
    expect(readAmount('1.505', 3)).toEqual(doubt('1505.000', '1.505'))
    expect(readAmount('1,500', null)).toEqual(doubt('1500', '1.500'))
  })

  test.each([
    ['1,50,000.00', 2],
    ['1.500.00', 2],
    ['1,500,0.0', 2],
    ['1,2.3,4', 2],
    ["1'500 000", 2],
    ['--5', 2],
    ['1e3', 2],
    ['12 EUR', 2],
    ['0.123', 2],
    ['1.5', 0],
    ['12345678901234567', 2],
  ])('the text %s with %d decimals is refused as an amount', (text, scale) => {
    expect(readAmount(text, scale).state).not.toBe('ok')
  })

  test('an empty text is no amount', () => {
    expect(readAmount('  ', 2)).toEqual({ state: 'empty' })
  })
})

const SCALES = [0, 2, 3, 6, 8]
/** Generates an amount in the API's form, in a currency with so many decimals. */
const amounts = fc.constantFrom(...SCALES).chain((scale) =>
  fc.record({
    scale: fc.constant(scale),
    amount: fc
      .tuple(fc.bigInt(0n, 10n ** 13n), fc.bigInt(0n, 10n ** BigInt(scale) - 1n))
      .map(([whole, rest]) => (scale === 0 ? `${whole}` : `${whole}.${rest.toString().padStart(scale, '0')}`)),
  }),
)
const continental = (printed: string): string => printed.replace(/[.,]/g, (sign) => (sign === ',' ? '.' : ','))
const spaced = (printed: string): string => continental(printed).replaceAll('.', ' ')
const swiss = (printed: string): string => printed.replaceAll(',', "'")

describe('round trip', () => {
  test('two possible amounts of one text are printed so that they do not look alike', () => {
    const pairs = [
      [
        ['1500', '1.500'],
        ['1,500.00', '1.50'],
      ],
      [
        ['1505.000', '1.505'],
        ['1,505.00', '1.505'],
      ],
      [
        ['1500.000000', '1.500000'],
        ['1,500.00', '1.50'],
      ],
    ] as const
    for (const [readings, printed] of pairs) expect(printApart(readings)).toEqual([...printed])
  })

  test('a printed amount is read back in every style; an ambiguous one offers it as one of two', () => {
    fc.assert(
      fc.property(amounts, ({ scale, amount }) => {
        for (const style of [(text: string) => text, continental, spaced, swiss]) {
          const reading = readAmount(style(printAmount(amount)), scale)
          // Only a currency of three decimals prints an ambiguous amount.
          if (reading.state === 'doubt') {
            expect(scale).toBe(3)
            expect(reading.readings).toContain(amount)
          } else expect<Reading>(reading).toEqual(ok(amount))
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('a text without doubt is read as one amount, and the API takes its form', () => {
    const typed = fc.stringMatching(/^[0-9., ']{1,14}$/)
    fc.assert(
      fc.property(typed, fc.constantFrom(...SCALES), (text, scale) => {
        const reading = readAmount(text, scale)
        if (reading.state !== 'ok') return
        expect(reading.amount).toMatch(scale === 0 ? /^(0|[1-9]\d*)$/ : new RegExp(`^(0|[1-9]\\d*)\\.\\d{${scale}}$`))
        // the typed digits are the sent ones
        const digits = (value: string): string => value.replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, '')
        expect(digits(reading.amount)).toBe(digits(text))
      }),
      { numRuns: 5000 },
    )
  })
})

test('the value of an amount field is an amount, or a text that its rule refuses with the reason', () => {
  const rule = amountRule()
  const held = (text: string, scale: number | null) => heldAs(readAmount(text, scale), text)
  expect([held('1,500.00', 2), rule(held('1,500.00', 2))]).toEqual(['1500.00', null])
  expect(rule(held('1.500', 3))).toContain('which')
  expect(rule(held('0', 2))).toContain('such as')
  expect(rule(held('', 2))).toContain('such as')
  expect(rule(held('-5', 2))).toContain('such as')
  expect(rule(held('1.234567', 2))).toContain('decimals')
  expect(rule(held('abc', 2))).toContain('not an amount')
})

describe('a rate', () => {
  const rule = amountRule('Enter a rate such as 1.0845', RATE)
  test('a rate is read as an amount is, with the decimals of a rate', () => {
    expect(readAmount('15,850', null, RATE)).toEqual(doubt('15850', '15.850'))
    expect(readAmount('15.850,25', null, RATE)).toEqual(ok('15850.25'))
    expect(readAmount('1,0845', null, RATE)).toEqual(ok('1.0845'))
    expect(readAmount('0.000063091482649842', null, RATE)).toEqual(ok('0.000063091482649842'))
    expect(fitAmount('0.000063091482649842', null, RATE)).toEqual(ok('0.000063091482649842'))
  })

  test('a rate is not sent while it is ambiguous, empty or invalid', () => {
    expect(rule(heldAs(readAmount('15,850', null, RATE), '15,850'))).toBe('Say which of the two is meant')
    expect(rule(heldAs(readAmount('abc', null, RATE), 'abc'))).toBe('This is not a rate such as 1.0845')
    expect(rule('')).toBe('Enter a rate such as 1.0845')
    expect(rule('0.000')).toBe('Enter a rate such as 1.0845')
    expect(rule('0.000063091482649842')).toBeNull()
  })
})
