import { type Static, Type } from '@sinclair/typebox'
import { type BoxFact, noteFact, readFact } from './db/box-facts.ts'
import { keyToWords, readWord } from './recovery-words.ts'
import type { Connection } from './sqlite.ts'
import { Nullable, OneOf } from './wire/fields.ts'

/** The number of words that are typed back: enough to show that the list was written down, and quick to type. */
export const WORDS_BACK = 3

/** Draws the places of the words to type back, at random and in the order of the list; they are counted from 1. */
export function drawPlaces(total: number): number[] {
  const places = Array.from({ length: total }, (_, index) => index + 1)
  const drawn = Array.from({ length: WORDS_BACK }, () => places.splice(Math.floor(Math.random() * places.length), 1))
  return drawn.flat().sort((a, b) => a - b)
}

/** The statement that the key of the installation is kept outside of it, and how. */
export const KeyKept = Type.Object({
  how: OneOf(['words', 'elsewhere']),
  statement: Nullable(
    Type.String({ description: 'where it is kept, in the words of who said so; null where words were typed back' }),
  ),
  by: Nullable(Type.String({ description: 'user id; null for a part of the program, such as the demo' })),
})
export type KeyKept = Static<typeof KeyKept>

/** The fact of the box that stores the statement about the key. */
export const KEY_KEPT: BoxFact<typeof KeyKept> = { name: 'recovery key kept', shape: KeyKept }

type PlacedWord = { place: number; word: string }

/** The key of the installation as words to write down, and whether it is kept outside of it. */
export type RecoveryKey = {
  words(): string[]
  /** The bytes of the key, for a child of this program that checks copies. */
  bytes(): Uint8Array
  /** Returns whether all of these are words of the key, but not which are wrong: that would help to guess the key. */
  hasWords(given: readonly PlacedWord[]): boolean
  /** Returns the statement that the key is kept outside of this machine, and its time; undefined without one. */
  kept(): { value: KeyKept; at: number } | undefined
  /** Stores that the key is kept; called inside a write. */
  noteKept(kept: KeyKept, now: number): void
}

/** Makes the recovery key of the key's bytes. No replica or snapshot can be read without it. RULES “Recovery key”. */
export function createRecoveryKey(key: Uint8Array, reader: Connection, connection: Connection): RecoveryKey {
  return {
    words: () => keyToWords(key),
    bytes: () => key,
    hasWords: (given) => {
      const words = keyToWords(key)
      return given.every(({ place, word }) => readWord(word) === words[place - 1])
    },
    kept: () => readFact(reader, KEY_KEPT),
    noteKept: (kept, now) => noteFact(connection, KEY_KEPT, kept, now),
  }
}
