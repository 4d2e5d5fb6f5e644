/**
 * Letters that a search treats as other letters, each before its plain form; the tokenizer of the indexes does so for
 * accents of Latin letters. Letters with no plain form, such as ʿ, are left out of the text.
 */
const LETTERS = [
  'ßss ẞss æae Æae œoe Œoe þth Þth łl Łl øo Øo đd Đd ðd Ðd ħh Ħh ŧt Ŧt ıi əe Əe ʿ ʾ ʼ ʻ',
  'άα Άα έε Έε ήη Ήη ίι Ίι ϊι Ϊι ΐι όο Όο ύυ Ύυ ϋυ Ϋυ ΰυ ώω Ώω ςσ',
  'ёе Ёе йи Йи їі Їі ўу Ўу',
  'أا إا آا ٱا ىي یي ئي ؤو ةه کك \u0640',
]
/** Vowels of Arabic and Hebrew, which few write: first and last code points. */
const VOWELS = [
  [0x64b, 0x652],
  [0x670, 0x670],
  [0x5b0, 0x5bc],
  [0x5c1, 0x5c2],
] as const

/** The plain form of each letter; a vowel sign has none. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ...LETTERS.join(' ')
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, 1), pair.slice(1)]),
  ...VOWELS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at): [string, string] => [String.fromCodePoint(first + at), '']),
  ),
])

/** Returns a text as the indexes have it: letters of half and full width are the usual ones. */
export const plainLetters = (text: string): string =>
  text.normalize('NFKC').replace(/[^ -~]/g, (letter) => PLAIN.get(letter) ?? letter)

/** Returns a text in small plain letters without accents. */
export const foldLetters = (text: string): string =>
  plainLetters(text).normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase()

/** One expression replaces at most this many letters, since SQLite before 3.46 refuses a deeper one. */
const STEP = 16

/**
 * Returns the SQL that does to a text what `plainLetters` does, except for the width. The triggers have this SQL as
 * text, since SQLite has no function of ours; `search-letters.test.ts` compares them. Its steps are not nested, since
 * the `sqlite3` of Debian 12 could not open the database otherwise.
 */
export function plainLettersSql(text: string): string {
  const letters = [...PLAIN]
  const steps = [`s0(t) AS (SELECT ${text})`]
  for (let at = 0; at < letters.length; at += STEP) {
    const plain = letters
      .slice(at, at + STEP)
      .reduce((inner, [letter, written]) => `replace(${inner},'${letter}','${written}')`, 't')
    steps.push(`s${steps.length}(t) AS (SELECT ${plain} FROM s${steps.length - 1})`)
  }
  const plain = `(WITH ${steps.join(', ')} SELECT t FROM s${steps.length - 1})`
  return `CASE WHEN ${text} GLOB '*[^ -~]*' THEN ${plain} ELSE ${text} END`
}

/** Returns the letters of a text in full width, and its kana in half width, as some systems of Japan keep them. */
export const otherWidths = (text: string): string[] => [
  text.replace(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  text.replace(/[ァ-ヴー]/g, (letter) => HALF_KANA.get(letter) ?? letter),
]
const HALF_KANA: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0xff9e - 0xff66 }, (_, at) => String.fromCodePoint(0xff66 + at)).flatMap((half) =>
    ['', 'ﾞ', 'ﾟ'].map((mark): [string, string] => [`${half}${mark}`.normalize('NFKC'), half + mark]),
  ),
)

/** Letters of alphabets with accents, first and last code points. */
const ALPHABETS = [
  [0x41, 0x24f],
  [0x370, 0x52f],
  [0x5d0, 0x6ff],
  [0x1e00, 0x1fff],
  [0xff21, 0xff5a],
] as const
let classes: ReadonlyMap<string, string> | undefined
/** Returns, for each plain letter, all letters that a search treats as that letter. */
function listClasses(): ReadonlyMap<string, string> {
  if (classes) return classes
  const found = new Map<string, string>()
  for (const [first, last] of ALPHABETS)
    for (let point = first; point <= last; point += 1) {
      const letter = String.fromCodePoint(point)
      const plain = foldLetters(letter)
      if (/^\p{L}$/u.test(letter) && /^\p{L}$/u.test(plain)) found.set(plain, (found.get(plain) ?? '') + letter)
    }
  classes = found
  return found
}

/** The letters that have two plain ones, such as ß, so that no class of single letters can have them. */
export const LONG_LETTERS = [...PLAIN].filter(([, plain]) => plain.length > 1)

/** Returns a text as a part of a GLOB pattern that finds it with and without accents, in small and large letters. */
export const globbing = (text: string): string =>
  [...foldLetters(text)]
    .map((letter) => {
      const those = listClasses().get(letter)
      return those !== undefined || '*?['.includes(letter) ? `[${those ?? letter}]` : letter
    })
    .join('')
