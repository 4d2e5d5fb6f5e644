import { expect, test } from 'bun:test'
import { hoursRule, hoursText, readHours } from './sla-hours.ts'

test('every number of minutes is shown as hours that are read as the same minutes', () => {
  for (let minutes = 1; minutes <= 10_000; minutes += 1) expect(readHours(hoursText(minutes))).toBe(minutes)
  expect(hoursText(480)).toBe('8')
})

test.each([
  ['8', 480],
  ['0.5', 30],
  ['1,5', 90],
  ['1600', 96_000],
])('“%s” typed as hours is read as %d minutes', (typed, minutes) => {
  expect(readHours(typed)).toBe(minutes)
  expect(hoursRule(typed)).toBeNull()
})

test.each(['', '0', '0.001', '-1', 'eight', '1601', '1,500'])('the text %p is refused as hours', (typed) => {
  expect(readHours(typed)).toBeNull()
  expect(hoursRule(typed)).toBe('Such as 8 or 0.5, up to 1600')
})
