import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { keyToWords, readWord, WrongWords, wordsToKey } from './recovery-words.ts'

const someKey = (): Uint8Array => new Uint8Array(randomBytes(32))

test('a key becomes 24 words, and the words become the same key again', () => {
  for (let round = 0; round < 200; round += 1) {
    const key = someKey()
    const words = keyToWords(key)
    expect(words).toHaveLength(24)
    expect(wordsToKey(words.join(' '))).toEqual(key)
  }
})

test('words are taken as people write them down: numbered, in lines, in capitals, by their first four letters', () => {
  const key = someKey()
  const words = keyToWords(key)
  const lines = words.map((word, index) => `${index + 1}. ${word.toUpperCase()}`).join('\n')
  expect(wordsToKey(`  ${lines}\r\n`)).toEqual(key)
  expect(wordsToKey(words.map((word) => word.slice(0, 4)).join(', '))).toEqual(key)
})

test('every word of the list is found by the whole word and by its first four letters, and by no other text', () => {
  for (const word of wordlist) expect([readWord(word), readWord(word.slice(0, 4))]).toEqual([word, word])
  // a shorter beginning would be a guess, and with another end it is another word
  expect(['aba', 'ab', '', 'abandoned', 'zzzz', 'actx'].map(readWord)).toEqual(Array(6).fill(undefined))
})

test.each([
  ['one too few', (words: string[]) => words.slice(1), /24 words; 23/],
  ['one too many', (words: string[]) => [...words, 'zoo'], /24 words; 25/],
  ['a word that is none', (words: string[]) => words.with(6, 'brokerbase'), /^Word 7, “brokerbase”/],
])('words with %s are refused, and the message names the mistake', (_, change, said) => {
  expect(() => wordsToKey(change(keyToWords(someKey())).join(' '))).toThrow(said)
})

test('words are refused if two are exchanged, except for about one in 256, which the checksum does not find', () => {
  let unnoticed = 0
  for (let round = 0; round < 2000; round += 1) {
    const words = keyToWords(someKey())
    const at = round % 23
    const [one = '', other = ''] = [words[at], words[at + 1]]
    if (one === other) continue
    try {
      wordsToKey(
        words
          .with(at, other)
          .with(at + 1, one)
          .join(' '),
      )
      unnoticed += 1
    } catch (error) {
      expect(error).toBeInstanceOf(WrongWords)
    }
  }
  // the checksum has eight bits; the proof of the key in the database finds the others
  expect(unnoticed).toBeLessThan(2000 / 256 + 25)
})
