import { expect, test } from 'bun:test'
import { scaleOf as shownScale } from '../../admin-ui/lib/text/currency-scale.ts'
import { currencies, scaleOf } from '../platform/money.ts'

test('the console and the server know the same decimals of every currency', () => {
  expect(currencies.filter((code) => shownScale(code) !== scaleOf(code))).toEqual([])
  expect([shownScale(''), shownScale(undefined)]).toEqual([null, null])
})
