import { toAscii } from './transliterate.ts'

/** These words do not identify a person. */
const TITLES = new Set([
  'mr',
  'mrs',
  'ms',
  'dr',
  'prof',
  'sheikh',
  'haji',
  'al',
  'el',
  'bin',
  'bn',
  'ibn',
  'abu',
  'de',
  'von',
  'van',
  'the',
  'of',
])

/**
 * Returns the words of a name in Latin letters, whatever its script. It is approximate: vowels that a script omits are
 * missing, which the matcher tolerates. Chinese and Korean names are one word, since those scripts do not separate
 * words.
 */
const latinWords = (name: string): string[] =>
  toAscii(name.normalize('NFKC'))
    .toLowerCase()
    // signs for a soft sign or a glottal stop, and the one in O’Brien, separate no words
    .replace(/['`"]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

/** A name in the form that is compared. */
export type Name = {
  /**
   * Sorted Latin words: `Путин, Владимир` → `putin vladimir`. Titles and particles are left out unless nothing else
   * remains.
   */
  tokens: string[]
  /** All in one word, in both orders, so that `习近平` matches `XI, Jinping`. */
  forms: string[]
  /** Whether its script omits vowels. */
  vowelless: boolean
}

export function readName(name: string): Name {
  const words = latinWords(name)
  const telling = words.filter((word) => !TITLES.has(word) && word.length > 1)
  const forms = [...new Set([words.join(''), words.toReversed().join('')])]
  return {
    tokens: (telling.length > 0 ? telling : words).toSorted(),
    forms: forms.filter((form) => form !== ''),
    vowelless: /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name),
  }
}

const SHORT = 5
const remembered = new Map<string, string>()
const REMEMBERED = 200_000

/**
 * Returns a word with one spelling for one sound: Victor and Viktor, Philip and Filip, Wladimir and Vladimir, Maxim and
 * Maksim. Short words are unchanged: Can, Chan and Khan are three common names. Results are cached, since lists repeat
 * words.
 */
export function folded(word: string): string {
  const known = remembered.get(word)
  if (known !== undefined) return known
  const sound = word.length < SHORT ? word : spelled(word)
  if (remembered.size >= REMEMBERED) remembered.clear()
  remembered.set(word, sound)
  return sound
}

const spelled = (word: string): string =>
  word
    .replace(/(.)\1+/g, '$1')
    .replace(/ph/g, 'f')
    .replace(/([tg])h/g, '$1')
    // ch sounds like k before a consonant and at the end, otherwise it is another sound
    .replace(/ck|q|c(?!h)|ch(?=[^aeiouy]|$)/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/(?<=.)[jy]/g, 'i')

/** Returns the consonants of a word as they sound, which `mhmd` and `Mohammed` share. A word of vowels is unchanged. */
export const consonants = (word: string): string =>
  folded(word)
    .replace(/[aeiou]/g, '')
    .replace(/(.)\1+/g, '$1') || word

/**
 * Returns the Jaro-Winkler similarity of two words, 0–1: it tolerates swaps and endings, and adds for a common
 * beginning.
 */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const taken = new Array<boolean>(b.length).fill(false)
  const common: string[] = []
  for (let i = 0; i < a.length; i++) {
    for (let j = Math.max(0, i - reach); j < Math.min(b.length, i + reach + 1); j++) {
      if (!taken[j] && a[i] === b[j]) {
        taken[j] = true
        common.push(a[i] ?? '')
        break
      }
    }
  }
  const matches = common.length
  if (matches === 0) return 0
  let swapped = 0
  let next = 0
  for (let j = 0; j < b.length; j++) {
    if (!taken[j]) continue
    if (b[j] !== common[next]) swapped += 1
    next += 1
  }
  const jaro = (matches / a.length + matches / b.length + (matches - swapped / 2) / matches) / 3
  let prefix = 0
  while (prefix < 4 && a[prefix] !== undefined && a[prefix] === b[prefix]) prefix += 1
  return jaro + prefix * 0.1 * (1 - jaro)
}
