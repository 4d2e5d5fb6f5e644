import { expect, test } from 'bun:test'
import { inventListed, inventOrdinary, toOfac, toUn } from '../../../testing/screening/lists.ts'
import { SCRIPTS } from '../../../testing/screening/names.ts'
import { parseList } from './list-parsers.ts'
import { createMatcher } from './matcher.ts'
import { readName, similarity, wordSimilarity } from './person-names.ts'

// These sums have no meaning of their own: they show that a weight, a limit or a rounding of the comparison changed.
// `bun run screening` says whether the new value is better; the new sums are then copied from the failing test.

const people = inventListed(40)
const nobody = { dateOfBirth: null, country: null }
const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
/**
 * Misspells a name in three ways: without its third letter, with its first two letters exchanged, and with its fourth
 * letter doubled.
 */
const misspell = (name: string): string[] => [
  name.slice(0, 2) + name.slice(3),
  name.slice(1, 2) + name.slice(0, 1) + name.slice(2),
  name.slice(0, 4) + name.slice(3),
]

test('each script’s names, right and misspelled, have the scores recorded here', () => {
  const match = createMatcher(parseList('un', { content: toUn(people) }))
  const scores = (name: string): number[] => match({ name, ...nobody }).map(({ score }) => score)
  const sums = SCRIPTS.map(({ name: script }) => {
    const asked = people.filter((person) => person.script === script)
    const latin = asked.map(({ given, family }) => [...given, family].join(' '))
    const sum = (names: readonly string[]): number => add(names.flatMap(scores))
    return [script, sum(asked.map(({ own }) => own)), sum(latin), sum(latin.flatMap(misspell))]
  })
  expect(sums).toEqual([
    ['Arabic', 3835, 4088, 6110],
    ['Persian', 4793, 5046, 7520],
    ['Cyrillic', 3920, 4000, 6890],
    ['Hangul', 3762, 4000, 5135],
    ['Chinese', 4400, 4592, 5530],
    ['Hebrew', 4330, 4946, 6916],
    ['Greek', 5511, 5758, 11068],
    ['Georgian', 5962, 5973, 8170],
    ['Armenian', 5821, 5960, 9302],
  ])
})

test('companies, and people with nearly their names, have the scores recorded here', () => {
  const entries = parseList('ofac_sdn', { content: toOfac(people, 200) })
  const match = createMatcher(entries)
  const listed = entries.filter(({ kind }) => kind !== 'person').flatMap(({ names }) => names)
  const asked = [...listed, ...listed.flatMap(misspell), ...inventOrdinary(200)]
  const found = asked.flatMap((name) => match({ name, ...nobody }).map(({ score }) => score))
  expect([found.length, add(found)]).toEqual([547, 54360])
})

test('all pairs of words have the similarities recorded here', () => {
  const words = people
    .filter((_, at) => at % 8 === 0)
    .flatMap(({ own, given, family }) => [own, [...given, family].join(' ')])
    .flatMap((name) => readName(name).words)
  const alike = words.flatMap((one) => words.map((other) => Math.round(wordSimilarity(one, other) * 1000)))
  const spelled = words.flatMap((one) => words.map((other) => Math.round(similarity(one.latin, other.latin) * 1000)))
  expect([words.length, add(alike), add(spelled)]).toEqual([195, 569584, 13305902])
})
