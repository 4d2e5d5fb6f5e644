import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** The number of words of a key of 32 bytes. */
export const KEY_WORDS = 24
/** No two words of the list begin with the same four letters. */
const LETTERS = 4

const byStart = new Map(wordlist.map((word) => [word.slice(0, LETTERS), word]))

/** The words are not a key. The message, which is for the operator, names the wrong word if it is known. */
export class WrongWords extends Error {
  override name = 'WrongWords'
}

/**
 * Returns the word of the list (BIP 39, English) that a text means, in small or capital letters, whole or by its first
 * four letters; undefined if there is none.
 */
export function readWord(text: string): string | undefined {
  const word = text.normalize('NFKD').toLowerCase()
  const known = byStart.get(word.slice(0, LETTERS))
  // “act” and “action” are both words, so a text of fewer than four letters must be a whole word
  return known?.startsWith(word) && (word.length >= LETTERS || known === word) ? known : undefined
}

/** Returns the box's key as 24 words to write down; the last one also has a checksum. RULES “Recovery key”. */
export const keyToWords = (key: Uint8Array): string[] => entropyToMnemonic(key, wordlist).split(' ')

/** Returns the key of 32 bytes that 24 words encode. Throws `WrongWords`. */
export function wordsToKey(text: string): Uint8Array {
  const given = text.split(/[\s,.;:\d)]+/).filter((part) => part !== '')
  if (given.length !== KEY_WORDS) throw new WrongWords(`The key has ${KEY_WORDS} words; ${given.length} were given.`)
  const words = given.map((part, index) => {
    const word = readWord(part)
    if (word === undefined)
      throw new WrongWords(`Word ${index + 1}, “${part}”, is none of those that keys are made of.`)
    return word
  })
  try {
    return mnemonicToEntropy(words.join(' '), wordlist)
  } catch {
    throw new WrongWords(
      'These are words of the list, but not a key: at least one is another word or in another place.',
    )
  }
}
