import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { barRows, barText } from './bar-rows.ts'

test('the bar of a chart is as high as its figure, and a missing figure has no height', () => {
  const series = [{ texts: ['1500.25', '0'] }, { texts: ['-3'] }]
  expect(barRows(['May', 'June'], series)).toEqual([
    { name: 'May', at: 0, heights: [1500.25, -3] },
    { name: 'June', at: 1, heights: [0, 0] },
  ])
})

test('rows of a chart that have the same name keep separate figures', () => {
  const rows = barRows(['bank', 'card', 'bank'], [{ texts: ['1', '2', '3'] }])
  expect(rows.map(({ name, at, heights }) => [name, at, ...heights])).toEqual([
    ['bank', 0, 1],
    ['card', 1, 2],
    ['bank', 2, 3],
  ])
})

test.each([
  [0, 'EUR', '1,234,567,890,123,456.78 EUR'],
  [1, 'EUR', '−20 EUR'],
  [1, '', '−20'],
  [2, 'EUR', '0 EUR'],
])('the text of the bar at %i in “%s” is exact', (at, unit, text) => {
  expect(barText({ texts: ['1234567890123456.78', '-20'] }, at, unit)).toBe(text)
})

test('a chart has as many rows as names, each with a height for every series', () => {
  const figures = fc.array(fc.integer().map(String))
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(figures.map((texts) => ({ texts }))), (names, series) => {
      const rows = barRows(names, series)
      expect(rows.map(({ name }) => name)).toEqual(names)
      expect(rows.every(({ at, heights }) => rows[at]?.heights === heights && heights.every(Number.isFinite))).toBe(
        true,
      )
      expect(rows.every(({ heights }) => heights.length === series.length)).toBe(true)
    }),
  )
})
