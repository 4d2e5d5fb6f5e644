import { type Indexed, indexNames } from './name-index.ts'
import { type Name, readName, splitNames, type Word, wordSimilarity } from './person-names.ts'

/**
 * A person or entity on a list. Births are years, ranges of years (`1960/1962`) or dates; countries are ISO codes or
 * the list's names.
 */
export type ListEntry = {
  reference: string
  kind: 'person' | 'entity'
  names: string[]
  births: string[]
  countries: string[]
  programme: string | null
}
/** The client to look for. */
type Subject = { name: string; dateOfBirth: string | null; country: string | null }
/** The reasons for a score, for the person who decides. */
export type Explanation = {
  listedAs: string
  nameScore: number
  words: { ours: string; theirs: string; similarity: number }[]
  birth: 'same' | 'same_year' | 'differs' | 'unknown'
  country: 'same' | 'differs' | 'unknown'
}
/** How similar two names are, with the similarities of their words. */
type Compared = Pick<Explanation, 'nameScore' | 'words'>
type Match = { entry: ListEntry; score: number; explanation: Explanation }

/** A name with at least this score is a match. RULES “Sanctions”. */
const THRESHOLD = 85

/** Similarities by consonants alone are multiplied by this. */
const BY_CONSONANTS = 0.95

/** A company matches only from this similarity on, nearly its whole name, since people are named like parts of one. */
const SAME_COMPANY = 95
/** The score of a name with the same Korean sound, and the lower one if both names are in Latin letters. */
const KOREAN = 93
const KOREAN_LATIN = 90

/**
 * Returns the similarity of two names, 0–100, by the best pairs of their words; a word of the shorter name without a
 * partner counts fully against it.
 */
function compare(ours: readonly Word[], theirs: readonly Word[], alike: typeof wordSimilarity): Compared {
  const [few, many, swapped] = ours.length <= theirs.length ? [ours, theirs, false] : [theirs, ours, true]
  const left = [...many]
  const words: Explanation['words'] = []
  let sum = 0
  let weight = 0
  for (const word of few) {
    let found: Word | undefined
    let score = 0
    for (const candidate of left) {
      const similarity = swapped ? alike(candidate, word) : alike(word, candidate)
      if (similarity > score) {
        score = similarity
        found = candidate
      }
    }
    const length = Math.max(word.latin.length, 2)
    weight += length
    if (!found) continue
    sum += score * length
    left.splice(left.indexOf(found), 1)
    const [mine, other] = swapped ? [found, word] : [word, found]
    words.push({ ours: mine.latin, theirs: other.latin, similarity: Math.round(score * 100) })
  }
  // a single word says little about a name of several words
  const spare = many.length - few.length
  const penalty = few.length === 1 && spare > 0 ? 0.75 : 1 - 0.04 * Math.min(spare, 3) - 0.02 * Math.max(0, spare - 3)
  return { nameScore: weight === 0 ? 0 : Math.round((sum / weight) * penalty * 100), words }
}

function compareBirth(ours: string | null, theirs: readonly string[]): Explanation['birth'] {
  if (ours === null || theirs.length === 0) return 'unknown'
  if (theirs.includes(ours)) return 'same'
  const year = Number(ours.slice(0, 4))
  const covers = (birth: string): boolean => {
    const [from = birth, to = from] = birth.split('/')
    return Number(from.slice(0, 4)) <= year && year <= Number(to.slice(0, 4))
  }
  return theirs.some(covers) ? 'same_year' : 'differs'
}

function compareCountry(ours: string | null, theirs: readonly string[]): Explanation['country'] {
  // an unknown country of a list is ignored
  const codes = theirs.filter((country) => country.length === 2)
  if (ours === null || codes.length === 0) return 'unknown'
  return codes.some((country) => country.toUpperCase() === ours.toUpperCase()) ? 'same' : 'differs'
}

const BIRTH = { same: 6, same_year: 3, differs: -14, unknown: 0 } as const
const COUNTRY = { same: 2, differs: -2, unknown: 0 } as const

/** Returns `wordSimilarity` with a memory for pairs, since lists repeat words. */
function rememberPairs(): typeof wordSimilarity {
  const known = new Map<Word, Map<Word, number>>()
  return (ours, theirs) => {
    let pairs = known.get(ours)
    if (!pairs) {
      pairs = new Map()
      known.set(ours, pairs)
    }
    const similarity = pairs.get(theirs) ?? wordSimilarity(ours, theirs)
    pairs.set(theirs, similarity)
    return similarity
  }
}

/** Compares like `compare`, but lowers the score if only one of the two names was written without vowels. */
function compareNames(ours: Name, theirs: Indexed, alike: typeof wordSimilarity): Compared {
  const { nameScore, words } = compare(ours.words, theirs.words, alike)
  if (ours.vowelless === theirs.vowelless) return { nameScore, words }
  return { nameScore: Math.round(nameScore * BY_CONSONANTS), words }
}

const sameForm = (form: string, nameScore: number): Compared => ({
  nameScore,
  words: [{ ours: form, theirs: form, similarity: nameScore }],
})

/** Yields the listed names that this name may stand for, each with its similarity. */
function* compareAll(
  ours: Name,
  { byForm, byKorean, findCandidates }: ReturnType<typeof indexNames>,
  alike: typeof wordSimilarity,
): Generator<[Indexed, Compared]> {
  for (const theirs of findCandidates(ours)) {
    const compared = compareNames(ours, theirs, alike)
    const isPart = ours.words.length !== theirs.words.length || compared.nameScore < SAME_COMPANY
    if (theirs.entry.kind === 'person' || !isPart) yield [theirs, compared]
  }
  for (const form of ours.koreanForms)
    for (const theirs of byKorean.get(form) ?? []) {
      const inHangul = ours.hangul || theirs.hangul
      if (theirs.entry.kind === 'person' && (inHangul || (ours.syllables && theirs.syllables)))
        yield [theirs, sameForm(form, inHangul ? KOREAN : KOREAN_LATIN)]
    }
  for (const form of ours.forms) for (const theirs of byForm.get(form) ?? []) yield [theirs, sameForm(form, 100)]
}

/**
 * Returns a matcher over the entries of one list. It returns every entry that reaches the threshold, by its best name,
 * the best entry first. Several names of a client are compared separately.
 */
export function createMatcher(entries: readonly ListEntry[]): (subject: Subject) => Match[] {
  const index = indexNames(entries)
  return (subject) => {
    const alike = rememberPairs()
    const found = new Map<ListEntry, Match>()
    const consider = ({ entry, name }: Indexed, compared: Compared) => {
      const birth = compareBirth(subject.dateOfBirth, entry.births)
      const country = compareCountry(subject.country, entry.countries)
      const weighed = Math.min(100, compared.nameScore + BIRTH[birth] + COUNTRY[country])
      // lists are often wrong about births and countries, so a person has to judge every identical name
      const score = compared.nameScore === 100 ? Math.max(weighed, THRESHOLD) : weighed
      if (score < THRESHOLD || score <= (found.get(entry)?.score ?? 0)) return
      found.set(entry, { entry, score, explanation: { listedAs: name, ...compared, birth, country } })
    }
    for (const name of splitNames(subject.name))
      for (const [theirs, compared] of compareAll(readName(name), index, alike)) consider(theirs, compared)
    return [...found.values()].toSorted((a, b) => b.score - a.score)
  }
}
