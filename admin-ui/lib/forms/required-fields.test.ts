import { describe, expect, test } from 'bun:test'
import { isNeeded } from './required-fields.ts'

const values = { name: 'Ann', note: '', scopes: ['a'], count: 3, address: { city: 'Oslo' } }
const filled = (value: string) => (value ? null : 'Fill it in')

describe('a field that may not be empty', () => {
  test('a field is required if the form’s rule refuses it empty, whatever it contains now', () => {
    const rules = { name: filled, scopes: (scopes: string[]) => (scopes.length > 0 ? null : 'Choose one') }
    expect(isNeeded(rules, values, 'name')).toBe(true)
    expect(isNeeded(rules, values, 'scopes')).toBe(true)
    expect(isNeeded(rules, values, 'note')).toBe(false)
  })

  test('a field is not required if its rule accepts no value', () => {
    const rules = { note: (note: string) => (note.length > 3 ? 'Too long' : null) }
    expect(isNeeded(rules, values, 'note')).toBe(false)
  })

  test('a field may be required because of other fields', () => {
    const rules = { note: (note: string, { name }: typeof values) => (note || !name ? null : 'Say why') }
    expect(isNeeded(rules, values, 'note')).toBe(true)
    expect(isNeeded(rules, { ...values, name: '' }, 'note')).toBe(false)
  })

  test('a required field is found inside an object, by its rule or by one rule for the whole form', () => {
    expect(isNeeded({ address: { city: filled } }, values, 'address.city')).toBe(true)
    const whole = ({ address }: typeof values) => (address.city ? {} : { 'address.city': 'Where?' })
    expect(isNeeded(whole, values, 'address.city')).toBe(true)
    expect(isNeeded(whole, values, 'name')).toBe(false)
  })

  test('a required field is found in each row of a list by the rule of the rows', () => {
    const rows = {
      reasons: [
        { code: 'a', text: 'A' },
        { code: 'b', text: '' },
      ],
    }
    const rules = { reasons: { code: filled } }
    expect(isNeeded(rules, rows, 'reasons.1.code')).toBe(true)
    expect(isNeeded(rules, rows, 'reasons.1.text')).toBe(false)
  })

  test('a number, and a field of a form without rules, are not marked as required', () => {
    expect(isNeeded({ count: () => 'No' }, values, 'count')).toBe(false)
    expect(isNeeded(undefined, values, 'name')).toBe(false)
  })
})
