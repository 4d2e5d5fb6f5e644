import { expect, test } from 'bun:test'
import { createSettingsReader } from './settings.ts'

const reader = (value: string) =>
  createSettingsReader(
    () => value,
    (name: string, wanted) => {
      throw new Error(`${name} ${wanted}`)
    },
  )

test('a number setting must be whole and within its range', () => {
  expect(reader('7').integer('n', 1, 7)).toBe(7)
  for (const value of ['', '8', '-1', '1.5', '1e1', ' 1'])
    expect(() => reader(value).integer('n', 1, 7)).toThrow('n must be a whole number from 1 to 7')
})

test('a yes-or-no setting has one spelling of each', () => {
  expect([reader('true').boolean('b'), reader('false').boolean('b')]).toEqual([true, false])
  for (const value of ['', 'yes', '1', 'TRUE'])
    expect(() => reader(value).boolean('b')).toThrow('b must be true or false')
})

test('a list setting loses spaces and empty items, and one of networks refuses anything else', () => {
  expect(reader(' a, ,b,').list('l')).toEqual(['a', 'b'])
  expect(reader('').networks('l')).toEqual([])
  expect(reader('10.0.0.0/8, fd00::/8').networks('l')).toEqual(['10.0.0.0/8', 'fd00::/8'])
  expect(() => reader('10.0.0.0/8,10.0.0.1').networks('l')).toThrow('l “10.0.0.1” is not a network such as 10.0.0.0/8')
})

test('a word setting must be one of the known words, which the refusal names', () => {
  expect(reader('money').oneOf('w', ['off', 'money', 'all'])).toBe('money')
  expect(() => reader('some').oneOf('w', ['off', 'money', 'all'])).toThrow('w must be off, money or all')
  expect(() => reader('').oneOf('w', ['refuse', 'degrade'])).toThrow('w must be refuse or degrade')
})
