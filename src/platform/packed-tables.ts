import { dictionary } from '@zxcvbn-ts/language-common'
import anyAscii from 'any-ascii'
import phoneMetadata from 'libphonenumber-js/metadata.min.json'

/** The number of blocks of 256 code points in Unicode. */
const BLOCKS = 0x1100
const BLOCK = 0x100
const ASCII = 0x80

/** Returns a line for each block of 256 code points: the transliteration of each into ASCII, separated by tabs. */
function latinLetters(): string {
  // ASCII itself is never looked up, and it has the tab and the line feed that separate the entries
  const entry = (point: number): string => (point < ASCII ? '' : anyAscii(String.fromCodePoint(point)))
  const line = (block: number): string =>
    Array.from({ length: BLOCK }, (_, at) => entry(block * BLOCK + at))
      .join('\t')
      .replace(/\t+$/, '')
  return Array.from({ length: BLOCKS }, (_, block) => line(block)).join('\n')
}

/**
 * Returns the common passwords, one a line. A password has at least ten characters, so a shorter entry is kept only if
 * it is a word, which a password may contain.
 */
function commonPasswords(): string {
  const entries = dictionary['passwords-common'].map((entry) => String(entry).toLowerCase())
  const useful = entries.filter((entry) => entry.length >= 10 || /^\p{L}{4,}$/u.test(entry))
  return [...new Set(useful)].sort().join('\n')
}

/**
 * Large tables of packages, each as the text that the program reads. The build compresses them: as source they would
 * take several times the space, because the executable holds every string twice. Only the build, and a server that
 * runs from source, load this file.
 */
export const TABLES = {
  'latin-letters': latinLetters,
  'common-passwords': commonPasswords,
  'phone-numbers': () => JSON.stringify(phoneMetadata),
}
