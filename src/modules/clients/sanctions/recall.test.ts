import { expect, test } from 'bun:test'
import { inventListed, toEu } from '../../../testing/screening/lists.ts'
import { ORDINARY_CLIENTS, screenInvented } from '../../../testing/screening/measure.ts'
import { parseList } from './list-parsers.ts'
import { createMatcher } from './matcher.ts'

/** In each script at least this part of listed people must be found, and at most this part of ordinary names. */
const FOUND = 0.97
const ALARMS = 0.01

test('listed people are found by their own script if the list has Latin names; few ordinary names match anybody', () => {
  const { scripts, alarms } = screenInvented()
  const few = scripts.filter(({ people, missed }) => 1 - missed.length / people < FOUND)
  expect(few).toEqual([])
  expect(alarms.length / ORDINARY_CLIENTS).toBeLessThanOrEqual(ALARMS)
})

test('everybody on a list of the EU, which has both names, is found by either one, even with another country', () => {
  const people = inventListed(20)
  const match = createMatcher(parseList('eu', { content: toEu(people) }))
  const missed = people.filter(({ own, given, family, reference, born }) =>
    [own, [...given, family].join(' ')].some((name) => {
      const found = match({ name, dateOfBirth: `${born}-02-03`, country: 'CY' })
      return !found.some(({ entry, score }) => entry.reference === reference && score === 100)
    }),
  )
  expect(missed).toEqual([])
})
