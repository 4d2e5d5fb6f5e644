import { describe, expect, test } from 'bun:test'
import { addDecimal, compareDecimal, isDecimal, subtractDecimal, sumByCurrency } from './decimal.ts'

describe('decimal', () => {
  test('decimals are added exactly where floats would not be', () => {
    expect(addDecimal('0.1', '0.2')).toBe('0.3')
    expect(addDecimal('9007199254740992.01', '0.99')).toBe('9007199254740993.00')
  })

  test('decimals are subtracted across different scales and below zero', () => {
    expect(subtractDecimal('1000.50', '980.2')).toBe('20.30')
    expect(subtractDecimal('100', '100.00000001')).toBe('-0.00000001')
    expect(subtractDecimal('-1.5', '1')).toBe('-2.5')
  })

  test('decimals are compared by value, not by text', () => {
    expect(compareDecimal('1000', '1000.00')).toBe(0)
    expect(compareDecimal('9.99', '10')).toBeLessThan(0)
    expect(compareDecimal('0.00000001', '0')).toBeGreaterThan(0)
  })

  test('only plain decimals are accepted', () => {
    for (const text of ['1', '0.5', '1250.00']) expect(isDecimal(text)).toBe(true)
    for (const text of ['', '.5', '1.', '1e3', '1,000', '12345678901234567']) expect(isDecimal(text)).toBe(false)
  })

  test('amounts are summed exactly by currency, even in a currency without decimals', () => {
    const row = (amount: string, currency: string) => ({ amount, currency })
    expect(sumByCurrency([row('0.10', 'EUR'), row('5', 'JPY'), row('0.20', 'EUR'), row('98765', 'JPY')])).toEqual([
      ['EUR', '0.30'],
      ['JPY', '98770'],
    ])
  })
})
