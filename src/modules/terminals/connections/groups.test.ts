import { expect, test } from 'bun:test'
import { fitsMask } from './groups.ts'

test.each([
  ['real\\*', 'real\\eur', true],
  ['real\\*', 'Real\\EUR', true],
  ['real\\*', 'demo\\eur', false],
  ['*eur*', 'real\\eur-pro', true],
  ['real', 'real\\eur', false],
  ['a*b*a', 'aba', true],
  ['a*b*a', 'aa', false],
  ['*', '', true],
])('the mask %s fits the group %s: %p', (mask, group, fits) => {
  expect(fitsMask(mask, group)).toBe(fits)
})
