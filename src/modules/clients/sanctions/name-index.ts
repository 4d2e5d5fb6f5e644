import type { ListEntry } from './matcher.ts'
import { type Name, readName, type Word } from './person-names.ts'
import { listBeginnings } from './sounds.ts'

/** A listed name in the form that is compared; `beginnings` counts the different beginnings of its words. */
export type Indexed = Omit<Name, 'tokens' | 'forms' | 'koreanForms'> & {
  entry: ListEntry
  name: string
  beginnings: number
}

/** If more names than this have a word, sharing it is not enough to compare two names. */
const TELLING = 500

const gatherBeginnings = (words: readonly Word[]): Set<string> =>
  new Set(words.flatMap((word) => listBeginnings(word.consonants)))

function file(index: Map<string, Indexed[]>, key: string, indexed: Indexed): void {
  const bucket = index.get(key)
  if (bucket) bucket.push(indexed)
  else index.set(key, [indexed])
}

/**
 * Indexes the names of entries, and finds those to compare with a name: names that share a whole word, or the
 * beginnings of two words, as they sound.
 */
export function indexNames(entries: readonly ListEntry[]) {
  const byBeginning = new Map<string, Indexed[]>()
  const byForm = new Map<string, Indexed[]>()
  const byWord = new Map<string, Indexed[]>()
  const byKorean = new Map<string, Indexed[]>()
  for (const entry of entries) {
    for (const name of entry.names) {
      const { tokens: _, forms, koreanForms, ...read } = readName(name)
      const beginnings = gatherBeginnings(read.words)
      const indexed = { entry, name, ...read, beginnings: beginnings.size }
      for (const form of forms) file(byForm, form, indexed)
      for (const form of koreanForms) file(byKorean, form, indexed)
      for (const beginning of beginnings) file(byBeginning, beginning, indexed)
      for (const word of new Set(read.words.map((word) => word.coarse))) file(byWord, word, indexed)
    }
  }
  const findCandidates = (ours: Name): Set<Indexed> => {
    const shared = new Map<Indexed, number>()
    const beginnings = gatherBeginnings(ours.words)
    for (const beginning of beginnings) {
      for (const indexed of byBeginning.get(beginning) ?? []) shared.set(indexed, (shared.get(indexed) ?? 0) + 1)
    }
    const candidates = new Set<Indexed>()
    for (const [indexed, count] of shared) {
      // two words of a name may have the same beginning (Maria Markova)
      if (count >= Math.min(beginnings.size, indexed.beginnings, 2)) candidates.add(indexed)
    }
    for (const word of new Set(ours.words.map((word) => word.coarse))) {
      const bearers = byWord.get(word) ?? []
      if (bearers.length <= TELLING) for (const indexed of bearers) candidates.add(indexed)
    }
    return candidates
  }
  return { byForm, byKorean, findCandidates }
}
