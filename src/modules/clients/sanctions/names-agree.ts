import { readName, type Word, wordSimilarity } from './person-names.ts'

/** Two words of a name count as the same from this similarity on, as spellings differ and banks cut names off. */
const ALIKE = 0.84

/**
 * Returns whether two names could be one person's: each word of the shorter name has a similar word in the longer one,
 * in any order and script. More than one word must agree, since a family shares one.
 */
export function namesAgree(a: string, b: string): boolean {
  const [one, two] = [readName(a), readName(b)]
  if (one.forms.some((form) => two.forms.includes(form))) return true
  if ((one.hangul || two.hangul) && one.koreanForms.some((form) => two.koreanForms.includes(form))) return true
  const [few = [], many = []] = [one.words, two.words].toSorted((left, right) => left.length - right.length)
  // a word that occurs twice in a name needs two partners
  const left = [...many]
  const take = (word: Word): boolean => {
    const at = left.findIndex((other) => wordSimilarity(word, other) >= ALIKE)
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  }
  return few.length > 1 && few.every(take)
}
