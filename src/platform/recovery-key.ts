import { type Static, Type } from '@sinclair/typebox'
import { type BoxFact, noteFact, readFact } from './db/box-facts.ts'
import type { Connection } from './db/client.ts'
import { readWord, wordsOfKey } from './recovery-words.ts'

/** How somebody who answers for the installation said that its key is kept outside of it. */
export const KeyKept = Type.Object({
  how: Type.Union([Type.Literal('words'), Type.Literal('elsewhere')]),
  /** Where it is kept, in their words; null where they typed words of it back. */
  statement: Type.Union([Type.String(), Type.Null()]),
  /** The user who said so; null for whoever commands the machine. */
  by: Type.Union([Type.String(), Type.Null()]),
})
export type KeyKept = Static<typeof KeyKept>

const KEPT: BoxFact<typeof KeyKept> = { name: 'recovery key kept', shape: KeyKept }

/** A word of the key at its place, which is counted from 1. */
export type PlacedWord = { place: number; word: string }

/** The key of the installation as something to write down, and whether anybody has. */
export type RecoveryKey = {
  words(): string[]
  /** Which of these words are not those of the key, by their index. */
  wrongOf(given: readonly PlacedWord[]): number[]
  /** Who said that the key is kept outside of this machine, and when; undefined while nobody has. */
  kept(): { value: KeyKept; at: number } | undefined
  /** Notes that the key is kept; inside a write. */
  noteKept(kept: KeyKept, now: number): void
}

/** The recovery key over the key's bytes. Without it no replica and no snapshot can be read. rules.md “Keys”. */
export function createRecoveryKey(key: Uint8Array, reader: Connection, connection: Connection): RecoveryKey {
  return {
    words: () => wordsOfKey(key),
    wrongOf: (given) => {
      const words = wordsOfKey(key)
      return given.flatMap(({ place, word }, index) => (readWord(word) === words[place - 1] ? [] : [index]))
    },
    kept: () => readFact(reader, KEPT),
    noteKept: (kept, now) => noteFact(connection, KEPT, kept, now),
  }
}
