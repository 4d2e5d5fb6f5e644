import { dictionary } from '@zxcvbn-ts/language-common'
import anyAscii from 'any-ascii'
import phoneMetadata from 'libphonenumber-js/metadata.min.json'

/** Blocks of 256 code points that Unicode can have. */
const BLOCKS = 0x1100
const BLOCK = 0x100
const ASCII = 0x80

/** A line for each block of 256 code points: what stands for each of them in ASCII, parted by tabs. */
function latinLetters(): string {
  // of ASCII itself nothing is looked up, and it holds the very signs that part the entries
  const entry = (point: number): string => (point < ASCII ? '' : anyAscii(String.fromCodePoint(point)))
  const line = (block: number): string =>
    Array.from({ length: BLOCK }, (_, at) => entry(block * BLOCK + at))
      .join('\t')
      .replace(/\t+$/, '')
  return Array.from({ length: BLOCKS }, (_, block) => line(block)).join('\n')
}

/**
 * Left out is what cannot matter: a password has ten characters, and of shorter entries only words are looked for
 * inside of one.
 */
function commonPasswords(): string {
  const entries = dictionary['passwords-common'].map((entry) => String(entry).toLowerCase())
  const useful = entries.filter((entry) => entry.length >= 10 || /^\p{L}{4,}$/u.test(entry))
  return [...new Set(useful)].sort().join('\n')
}

/**
 * Large tables of packages, each as the text that the program reads. The build packs them: as source they cost a
 * multiple of it, because the executable holds every string twice. Only the build, and a server that runs from
 * source, load this file.
 */
export const TABLES = {
  'latin-letters': latinLetters,
  'common-passwords': commonPasswords,
  'phone-numbers': () => JSON.stringify(phoneMetadata),
}
