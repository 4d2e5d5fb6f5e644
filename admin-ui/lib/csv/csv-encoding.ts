/**
 * The encoding of a CSV file. Excel saves “CSV” in the code page of its country: 1250 in the east of central Europe,
 * 1251 for Cyrillic, 1252 in the west. “Unicode text” is UTF-16.
 */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | CodePage
type CodePage = 'windows-1250' | 'windows-1251' | 'windows-1252'

/** The letters beyond A to Z of languages by their code page, the most frequent first. */
const ALPHABETS: Readonly<Record<CodePage, readonly string[]>> = {
  'windows-1252': [
    'üäöß',
    'éèêàçëîôâïùûœ',
    'íáéñóúü',
    'ãçáõéíóâêúàô',
    'èàòùìé',
    'øåæéö',
    'öäåé',
    'ëéïöüè',
    'íáöéóúýðþæ',
  ],
  'windows-1250': ['łóśńążęćź', 'áíěéřčýžšůúňóťď', 'áíčéžšýúľťňôäóď', 'áéóöőíüúű', 'şăţâî', 'ćčšžđ'],
  'windows-1251': [
    'оаинервстклмдпуяыьгзбчйхжшюцщэфъё',
    'оаинівтерскдлупямьгзйбчхжїюцєшщфґ',
    'аиоентрсвлкдпмзгъубяйчцщжшхюфь',
    'аиоенрстјувкдмплгзбчцшжхћђњљфџ',
  ],
}
const CODE_PAGES: readonly CodePage[] = ['windows-1252', 'windows-1250', 'windows-1251']

/** The probability of a letter that a language does not have, or of a sign within a word. */
const UNLIKELY = 1 / 2000

/**
 * Returns the probability of each letter: the second is half as likely as the first, the third a third as likely
 * (Zipf).
 */
const likelihoods = (alphabet: string): ReadonlyMap<string, number> => {
  const letters = [...alphabet]
  const whole = letters.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0)
  return new Map(letters.map((letter, rank) => [letter, 1 / (rank + 1) / whole]))
}

/** The counts of a byte in a file: beside a letter from A to Z, else beside another byte beyond ASCII, else alone. */
type Seen = { beside: number; among: number; alone: number }

/** This many bytes beyond ASCII are counted: more would not change the result. */
const LOOKED_AT = 50_000

const isLatin = (byte = 0): boolean => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
const isHigh = (byte = 0): boolean => byte >= 0x80

const seenIn = (bytes: Uint8Array): ReadonlyMap<number, Seen> => {
  const seen = new Map<number, Seen>()
  let count = 0
  for (let at = 0; at < bytes.length && count < LOOKED_AT; at++) {
    const byte = bytes[at] ?? 0
    if (!isHigh(byte)) continue
    count += 1
    const often = seen.get(byte) ?? { beside: 0, among: 0, alone: 0 }
    const before = bytes[at - 1]
    const after = bytes[at + 1]
    if (isLatin(before) || isLatin(after)) often.beside += 1
    else if (isHigh(before) || isHigh(after)) often.among += 1
    else often.alone += 1
    seen.set(byte, often)
  }
  return seen
}

/** Returns the probability of a letter in each language of a code page, and in all of them mixed. */
const buildLetterModels = (page: CodePage): readonly ((letter: string) => number)[] => {
  const alphabets = ALPHABETS[page].map(likelihoods)
  const mixed = (letter: string): number =>
    alphabets.reduce((sum, alphabet) => sum + (alphabet.get(letter) ?? 0), 0) / alphabets.length
  return [mixed, ...alphabets.map((alphabet) => (letter: string) => alphabet.get(letter) ?? 0)]
}

/**
 * Returns how well a file fits a code page, in its best language; 0 is best. It is unlikely that a Cyrillic letter is
 * beside one from A to Z, an accented letter apart from those, or a sign within a word.
 */
const scoreFit = (page: CodePage, seen: ReadonlyMap<number, Seen>): number => {
  const decoder = new TextDecoder(page)
  const read = [...seen].map(([byte, often]) => ({
    ...often,
    letter: decoder.decode(Uint8Array.of(byte)).toLowerCase(),
  }))
  const rare = Math.log(UNLIKELY)
  const fits = buildLetterModels(page).map((likely) =>
    read.reduce((sum, { letter, beside, among, alone }) => {
      if (!/\p{L}/u.test(letter)) return sum + (beside + among) * rare
      const usual = Math.log(Math.max(likely(letter), UNLIKELY))
      const apart = among + alone
      return page === 'windows-1251' ? sum + apart * usual + beside * rare : sum + beside * usual + apart * rare
    }, 0),
  )
  return Math.max(...fits)
}

const isUtf8 = (bytes: Uint8Array<ArrayBuffer>): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Returns the possible encodings of a file, the most likely first. */
export const rankEncodings = (bytes: Uint8Array<ArrayBuffer>): readonly [Encoding, ...Encoding[]] => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return ['utf-16le']
  if (first === 0xfe && second === 0xff) return ['utf-16be']
  if (isUtf8(bytes)) return ['utf-8', ...CODE_PAGES]
  const seen = seenIn(bytes)
  const fits = new Map(CODE_PAGES.map((page) => [page, scoreFit(page, seen)]))
  const [best = 'windows-1252', ...others] = CODE_PAGES.toSorted((a, b) => (fits.get(b) ?? 0) - (fits.get(a) ?? 0))
  return [best, ...others]
}
