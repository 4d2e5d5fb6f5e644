import { type Static, Type } from '@sinclair/typebox'
import { type BoxFact, noteFact, readFact } from './db/box-facts.ts'
import { keyToWords, readWord } from './recovery-words.ts'
import type { Connection } from './sqlite.ts'
import { Nullable, OneOf } from './wire/fields.ts'

/** Words that are typed back: enough to show that a list of them lies somewhere, and few enough to be typed. */
export const WORDS_BACK = 3

/** Places of the words that somebody is asked for, in the order of the list, counted from 1; others each time. */
export function drawPlaces(total: number): number[] {
  const places = Array.from({ length: total }, (_, index) => index + 1)
  const drawn = Array.from({ length: WORDS_BACK }, () => places.splice(Math.floor(Math.random() * places.length), 1))
  return drawn.flat().sort((a, b) => a - b)
}

/** How somebody who answers for the installation said that its key is kept outside of it. */
export const KeyKept = Type.Object({
  how: OneOf(['words', 'elsewhere']),
  statement: Nullable(
    Type.String({ description: 'where it is kept, in the words of who said so; null where words were typed back' }),
  ),
  by: Nullable(Type.String({ description: 'user id; null for a part of the program, such as the demo' })),
})
export type KeyKept = Static<typeof KeyKept>

/** Who said that the key is kept, and how. */
export const KEY_KEPT: BoxFact<typeof KeyKept> = { name: 'recovery key kept', shape: KeyKept }

/** A word of the key at its place, which is counted from 1. */
type PlacedWord = { place: number; word: string }

/** The key of the installation as something to write down, and whether anybody has. */
export type RecoveryKey = {
  words(): string[]
  /** The key itself, for a child of this program that proves copies. */
  bytes(): Uint8Array
  /** Whether all of these are words of the key. Which are not is told to nobody: the key could be guessed by that. */
  hasWords(given: readonly PlacedWord[]): boolean
  /** Who said that the key is kept outside of this machine, and when; undefined while nobody has. */
  kept(): { value: KeyKept; at: number } | undefined
  /** Notes that the key is kept; inside a write. */
  noteKept(kept: KeyKept, now: number): void
}

/** The recovery key over the key's bytes. Without it no replica and no snapshot can be read. RULES “Recovery key”. */
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
