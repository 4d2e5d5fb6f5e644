import { expect, test } from 'bun:test'
import { findScale as shownScale } from '../../admin-ui/lib/text/currency-scale.ts'
import { currencies, getScale } from '../platform/money.ts'

test('the console and the server know the same decimals of every currency', () => {
  expect(currencies.filter((code) => shownScale(code) !== getScale(code))).toEqual([])
  expect([shownScale(''), shownScale(undefined)]).toEqual([null, null])
})
