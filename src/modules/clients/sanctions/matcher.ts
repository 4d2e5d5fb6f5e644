import { consonants, folded, type Name, readName, similarity } from './person-names.ts'

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
/** The person to look for. */
type Subject = { name: string; dateOfBirth: string | null; country: string | null }
/** The reasons for a score, for the person who decides. */
export type Explanation = {
  listedAs: string
  nameScore: number
  words: { ours: string; theirs: string; similarity: number }[]
  birth: 'same' | 'same_year' | 'differs' | 'unknown'
  country: 'same' | 'differs' | 'unknown'
}
type Match = { entry: ListEntry; score: number; explanation: Explanation }

/** A name with at least this score is a match. RULES “Sanctions”. */
const THRESHOLD = 85
/** Words below this similarity are different words. */
const ALIKE = 0.84

/** A similarity by consonants alone is multiplied by this. */
const BY_CONSONANTS = 0.95

type Indexed = Pick<Name, 'tokens' | 'vowelless'> & { entry: ListEntry; name: string; beginnings: number }

/** A similarity by sound alone is multiplied by this. */
const BY_SOUND = 0.97

function wordsAlike(a: string, b: string): number {
  if (a === b) return 1
  const [soundA, soundB] = [folded(a), folded(b)]
  const spelled = similarity(a, b)
  return soundA === a && soundB === b ? spelled : Math.max(spelled, BY_SOUND * similarity(soundA, soundB))
}

/** A word that more names have does not make candidates alone. */
const TELLING = 500

/**
 * Returns the similarity of two names, 0–100, by their best pairs of words; words of the shorter name without a partner
 * count fully.
 */
function compare(ours: readonly string[], theirs: readonly string[]): Pick<Explanation, 'nameScore' | 'words'> {
  const [few, many, swapped] = ours.length <= theirs.length ? [ours, theirs, false] : [theirs, ours, true]
  const left = [...many]
  const words: Explanation['words'] = []
  let sum = 0
  let weight = 0
  for (const word of few) {
    let best = -1
    let score = 0
    left.forEach((candidate, index) => {
      const alike = wordsAlike(word, candidate)
      if (alike > score) {
        score = alike
        best = index
      }
    })
    weight += word.length
    if (score < ALIKE) continue
    sum += score * word.length
    const [found = ''] = left.splice(best, 1)
    words.push(
      swapped
        ? { ours: found, theirs: word, similarity: Math.round(score * 100) }
        : { ours: word, theirs: found, similarity: Math.round(score * 100) },
    )
  }
  // one word alone says little about a name of several
  const spare = many.length - few.length
  const penalty = few.length === 1 && spare > 0 ? 0.75 : 1 - 0.04 * Math.min(spare, 3)
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

/** Returns first consonants, so that scripts without vowels and other spellings are found. */
const listBeginnings = (tokens: readonly string[]): Set<string> =>
  new Set(tokens.map((token) => consonants(token).slice(0, 2)))

/** Compares like `compare`, but by consonants alone if one of the two was written without vowels. */
function compareNames(ours: Name, theirs: Indexed): Pick<Explanation, 'nameScore' | 'words'> {
  if (ours.vowelless === theirs.vowelless) return compare(ours.tokens, theirs.tokens)
  const { nameScore, words } = compare(ours.tokens.map(consonants), theirs.tokens.map(consonants))
  return { nameScore: Math.round(nameScore * BY_CONSONANTS), words }
}

/**
 * Returns a matcher over the entries of one list: every entry from the threshold on, by its best name, the best first.
 * Only entries that share a whole word or the beginnings of two, as they sound, are compared.
 */
export function createMatcher(entries: readonly ListEntry[]): (subject: Subject) => Match[] {
  const byBeginning = new Map<string, Indexed[]>()
  const byForm = new Map<string, Indexed[]>()
  const byWord = new Map<string, Indexed[]>()
  const file = (index: Map<string, Indexed[]>, key: string, indexed: Indexed) => {
    const bucket = index.get(key)
    if (bucket) bucket.push(indexed)
    else index.set(key, [indexed])
  }
  for (const entry of entries) {
    for (const name of entry.names) {
      const { tokens, forms, vowelless } = readName(name)
      const beginnings = listBeginnings(tokens)
      const indexed = { entry, name, tokens, vowelless, beginnings: beginnings.size }
      for (const beginning of beginnings) file(byBeginning, beginning, indexed)
      for (const form of forms) file(byForm, form, indexed)
      for (const word of new Set(tokens.map(folded))) file(byWord, word, indexed)
    }
  }
  return (subject) => {
    const ours = readName(subject.name)
    const { tokens } = ours
    const shared = new Map<Indexed, number>()
    const beginnings = listBeginnings(tokens)
    for (const beginning of beginnings) {
      for (const indexed of byBeginning.get(beginning) ?? []) shared.set(indexed, (shared.get(indexed) ?? 0) + 1)
    }
    const candidates = new Set<Indexed>()
    for (const [indexed, count] of shared) {
      // two words of a name may have the same beginning (Maria Markova)
      if (count >= Math.min(beginnings.size, indexed.beginnings, 2)) candidates.add(indexed)
    }
    for (const word of new Set(tokens.map(folded))) {
      const bearers = byWord.get(word) ?? []
      if (bearers.length <= TELLING) for (const indexed of bearers) candidates.add(indexed)
    }
    const found = new Map<ListEntry, Match>()
    const consider = ({ entry, name }: Indexed, named: ReturnType<typeof compare>) => {
      const birth = compareBirth(subject.dateOfBirth, entry.births)
      const country = compareCountry(subject.country, entry.countries)
      const weighed = Math.min(100, named.nameScore + BIRTH[birth] + COUNTRY[country])
      // lists are often wrong about births and countries, so a person judges the very same name
      const score = named.nameScore === 100 ? Math.max(weighed, THRESHOLD) : weighed
      if (score < THRESHOLD || score <= (found.get(entry)?.score ?? 0)) return
      found.set(entry, { entry, score, explanation: { listedAs: name, ...named, birth, country } })
    }
    for (const indexed of candidates) consider(indexed, compareNames(ours, indexed))
    for (const form of ours.forms) {
      for (const indexed of byForm.get(form) ?? [])
        consider(indexed, { nameScore: 100, words: [{ ours: form, theirs: form, similarity: 100 }] })
    }
    return [...found.values()].toSorted((a, b) => b.score - a.score)
  }
}
