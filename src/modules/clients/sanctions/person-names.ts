import { isHangul, isSyllables, koreanForms } from './korean-names.ts'
import {
  abjadConsonants,
  coarse,
  consonantSimilarity,
  editDistance,
  isAbjad,
  isSyllable,
  latinSound,
  vowelsAgree,
  withoutMarks,
} from './sounds.ts'
import { toAscii } from './transliterate.ts'

/** These words do not identify a person. */
const TITLES = new Set(
  'mr mrs ms dr prof sheikh haji al el bin bn ibn bint abu de von van the of as ash ad an ar at az'.split(' '),
)
/** These are also names of people, so they are left out only if two other words remain. */
const PARTICLES = new Set('ben abou abi ould umm'.split(' '))
/** Forms of companies. */
const LEGAL_FORMS = new Set(
  'llc ltd limited inc co company corp corporation gmbh ag sa srl ooo oao zao pjsc jsc plc bv fze est'.split(' '),
)

/** A word of a name in Latin letters, and its sound; `vowels` is null if its script does not write them. */
export type Word = { latin: string; folded: string; consonants: string; vowels: string | null; coarse: string }

/** A name in the form that is compared. */
export type Name = {
  words: Word[]
  /** Sorted Latin words: `Путин, Владимир` → `putin vladimir`. Titles and particles are left out if others remain. */
  tokens: string[]
  /** The name as one word, with the family at either end, so that `习近平` matches `XI, Jinping`. */
  forms: string[]
  /** How the name sounds in Korean; compared only if one of two is in Hangul, or both have a word for each syllable. */
  koreanForms: string[]
  hangul: boolean
  syllables: boolean
  /** Whether the name's script omits vowels. */
  vowelless: boolean
}

const remembered = new Map<string, Word>()
const REMEMBERED = 200_000
/** Returns a word with its sound; results are cached, since lists repeat words. */
function remember(word: string, read: (word: string) => Word): Word {
  const known = remembered.get(word)
  if (known) return known
  if (remembered.size >= REMEMBERED) remembered.clear()
  const made = read(word)
  remembered.set(word, made)
  return made
}

/** An article before a family, which is written joined or apart: Alharbi, al-Harbi. */
const ARTICLE = /^[ae]l(?=[^aeiouyl]\w{4})/
/** Abdul, Abdel and Abd before the word that they belong to. */
const SERVANT = /^abd(?:[aeou]{1,2})?(?=[^aeou])/
const ALLAH = /^l+ah?$/

const readLatin = (latin: string): Word => {
  if (SERVANT.test(latin)) {
    const rest = latin.replace(SERVANT, '')
    const served = ALLAH.test(rest) ? { consonants: 'l', vowels: '--' } : latinSound(rest.replace(/^l/, ''))
    const consonants = `abd${served.consonants.replace(/^a/, '')}`
    return { latin, folded: folded(latin), consonants, vowels: `a-u${served.vowels}`, coarse: coarse(consonants) }
  }
  const sound = latinSound(latin.replace(ARTICLE, ''))
  return { latin, folded: folded(latin), ...sound, coarse: coarse(sound.consonants) }
}
const readAbjad = (word: string): Word => {
  const consonants = abjadConsonants(word)
  const latin = toAscii(word)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
  return { latin, folded: latin, consonants, vowels: null, coarse: coarse(consonants) }
}

const ARABIC_PARTICLES = /^(?:بن|ابن|بنت|أبو|ابو|أبي|ابي|آل|ال|ولد)$/
/** Greek writes these sounds with two letters. */
const GREEK: readonly (readonly [RegExp, string])[] = [
  [/ο[υύ]/gi, 'ou'],
  [/([αε])[υύ](?=[βγδζλμνραειουηωάέίόήώ])/gi, '$1v'],
  [/([αε])[υύ]/gi, '$1f'],
  [/γγ/gi, 'ng'],
]
const ARMENIAN_U = /ու/gi
const latinLetters = (text: string): string => {
  let written = text
  if (/\p{Script=Greek}/u.test(text)) for (const [letters, latin] of GREEK) written = written.replace(letters, latin)
  return toAscii(written.replace(ARMENIAN_U, 'u')).toLowerCase()
}

/**
 * Returns the words of a name in its order. Arabic and Hebrew words keep their consonants. Words that belong together
 * are one word: Abdul Rahman, Saif al-Din, Nasr Allah. Chinese and Korean names are one word, since those scripts do
 * not separate words.
 */
function readWords(name: string): Word[] {
  const words: Word[] = []
  const append = (first: string, { latin, consonants }: Word, end: Word['vowels']): Word => {
    const whole = first + consonants.replace(/^a/, '')
    return { latin, folded: latin, consonants: whole, vowels: end, coarse: coarse(whole) }
  }
  let servant = false
  const add = (word: Word, belongs: boolean) => {
    while (belongs && words.length > 1 && TITLES.has(words.at(-1)?.latin ?? '')) words.pop()
    const last = words.at(-1)
    if (servant) {
      words.push(
        word.vowels === null
          ? append('abd', word, null)
          : remember(`abd${word.latin.replace(/^a(?=l+ah?$)/, '')}`, readLatin),
      )
      servant = false
    } else if (belongs && last) {
      words[words.length - 1] =
        word.vowels === null || last.vowels === null
          ? append(last.consonants, { ...word, latin: last.latin + word.latin }, null)
          : remember(last.latin + word.latin, readLatin)
    } else words.push(word)
  }
  for (const raw of withoutMarks(name.normalize('NFKC')).split(/[\s,;.()/\-\u2010-\u2015\u060c\u05be]+/u)) {
    if (isAbjad(raw)) {
      if (ARABIC_PARTICLES.test(raw)) continue
      const bare = raw
        .replace(/ی/g, 'ي')
        .replace(/^ال(?=..)/, '')
        .replace(/(?<=..)الله$/, 'له')
      if (bare === 'عبد') servant = true
      else if (/^عبد(?=ال..)/.test(bare)) {
        servant = true
        add(remember(bare.replace(/^عبدال/, ''), readAbjad), false)
      } else add(remember(bare, readAbjad), bare === 'دين' || bare === 'له')
      continue
    }
    for (const latin of latinLetters(raw)
      .replace(/['`"]/g, '')
      .split(/[^a-z0-9]+/)) {
      if (latin === '') continue
      if (/^abd(?:[aeou]l?|al|el)?$/.test(latin)) servant = true
      else if (servant && TITLES.has(latin)) continue
      else add(remember(latin, readLatin), /^(?:allah|ullah|din|deen|e?ddine?|uddin)$/.test(latin))
    }
  }
  return words
}

const BETWEEN_NAMES =
  /[;\n؛،•|]|\s\/\s|(?:^|[\s,])(?:[afn]\.?k\.?a\.?(?=[\s:])|alias\b|(?:formerly|previously)(?: listed)?(?: as)?\b|\(?[a-z]\)(?=\s)|\d{1,2}[.)](?=\s))/i
const BRACKETS = /\(([^()]*)\)/g
/**
 * Returns the names in a field. Lists and people write several names into one, such as `a) Ivan Petrov; b) Petr
 * Ivanov`, or another name in brackets.
 */
export function splitNames(field: string): string[] {
  const names = field.split(BETWEEN_NAMES).map((name) => name.replace(/^[\s,:]+|[\s,:]+$/g, ''))
  return names
    .flatMap((name) => {
      const inside = [...name.matchAll(BRACKETS)]
        .flatMap(([, one = '']) => one.split(BETWEEN_NAMES))
        .map((one) => one.trim())
        .filter((one) => /\S\s\S/.test(one))
      return inside.length === 0 ? [name] : [name, name.replace(BRACKETS, ' ').trim(), ...inside]
    })
    .filter((name) => name !== '')
}

export function readName(name: string): Name {
  const words = readWords(name)
  const latin = words.map((word) => word.latin)
  const isTelling = ({ latin: word }: Word): boolean => !TITLES.has(word) && !LEGAL_FORMS.has(word) && word.length > 1
  const telling = words.filter(isTelling)
  const sure = telling.filter(({ latin: word }) => !PARTICLES.has(word))
  const told = sure.length > 1 ? sure : telling.length > 0 ? telling : words
  const sorted = told.toSorted((a, b) => Number(a.latin > b.latin) - Number(a.latin < b.latin))
  const named = latin.filter((word) => !LEGAL_FORMS.has(word))
  const turned = [
    named,
    named.toReversed(),
    [...named.slice(-1), ...named.slice(0, -1)],
    [...named.slice(1), ...named.slice(0, 1)],
  ]
  return {
    words: sorted,
    tokens: sorted.map((word) => word.latin),
    forms: [...new Set(turned.map((one) => one.join('')))].filter((form) => form !== ''),
    koreanForms: koreanForms(name, latin),
    hangul: isHangul(name),
    syllables: isSyllables(latin),
    vowelless: isAbjad(name),
  }
}

/**
 * Returns a word with one spelling for each sound: Victor and Viktor, Philip and Filip, Wladimir and Vladimir, Maxim
 * and Maksim are the same. Only longer words are compared by it, since Can, Chan and Khan are three common names.
 */
const folded = (word: string): string =>
  word
    .replace(/(.)\1+/g, '$1')
    .replace(/ph/g, 'f')
    .replace(/([tg])h/g, '$1')
    // ch sounds like k before a consonant and at the end of a word, and otherwise differently
    .replace(/ck|q|c(?!h)|ch(?=[^aeiouy]|$)/g, 'k')
    .replace(/x/g, 'ks')
    .replace(/w/g, 'v')
    .replace(/(?<=.)[jy]/g, 'i')

/** Words below this similarity are different words. */
const ALIKE = 0.84
/** Similarities by sound alone are multiplied by this. */
const BY_SOUND = 0.97
/** The similarity of words with equal consonants and similar vowels, and with consonants that are often confused. */
const SAME_SOUND = 0.95
const LIKE_SOUND = 0.9
/** Words up to this length with different sounds are different words: Li and Le, Han and Hana. */
const SHORTEST = 4
/** Less than this part of the letters may differ between two spellings of a word. */
const OTHER_LETTERS = 0.25
/** At least this part of the consonants must be the same. */
const SAME_CONSONANTS = 0.75

const perLetter = (): number => 1
const perChange = (one: string, other: string): number => (one === other ? 0 : 1)

/** Returns the similarity of two words, 0–1; 0 for different ones. */
export function wordSimilarity(a: Word, b: Word): number {
  if (a === b || a.latin === b.latin) return 1
  if (a.vowels === null || b.vowels === null) {
    const alike = consonantSimilarity(a.consonants, b.consonants)
    return alike >= SAME_CONSONANTS ? alike : 0
  }
  const heard = soundSimilarity(a, b)
  const longest = Math.max(a.latin.length, b.latin.length)
  if (Math.min(a.latin.length, b.latin.length) <= SHORTEST) return heard
  // with so many more letters the words differ in any case; one spelling of a sound may have two letters more
  if (Math.abs(a.latin.length - b.latin.length) > longest * OTHER_LETTERS + 2) return heard
  const [soundA, soundB] = [a.folded, b.folded]
  const spelled = Math.max(similarity(a.latin, b.latin), BY_SOUND * similarity(soundA, soundB))
  if (spelled < ALIKE) return heard
  if (editDistance(soundA, soundB, perLetter, perChange) >= Math.max(soundA.length, soundB.length) * OTHER_LETTERS)
    return heard
  return consonantSimilarity(a.consonants, b.consonants) >= SAME_CONSONANTS ? Math.max(spelled, heard) : heard
}

/** Returns the similarity of two words by their sound; 0 if they sound different. */
function soundSimilarity(a: Word, b: Word): number {
  if (a.coarse !== b.coarse || a.vowels === null || b.vowels === null || !vowelsAgree(a.vowels, b.vowels)) return 0
  if (a.consonants === b.consonants) return SAME_SOUND
  const isShort = Math.min(a.latin.length, b.latin.length) <= SHORTEST || isSyllable(a.vowels)
  return isShort ? 0 : LIKE_SOUND
}

/**
 * Returns the Jaro-Winkler similarity of two words, 0–1: it tolerates changed places and endings, and rises with a
 * common beginning.
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
