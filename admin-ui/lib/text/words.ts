import { createElement, Fragment, type ReactNode } from 'react'
import { common } from '../../../src/words/en/everywhere.ts'
import { fields } from '../../../src/words/en/fields.ts'
import { lists } from '../../../src/words/en/lists.ts'
import { palette } from '../../../src/words/en/palette.ts'
import { parts } from '../../../src/words/en/parts.ts'
import { shell } from '../../../src/words/en/shell.ts'
import { formatsOf, type Sentences } from '../../../src/words/speaker.ts'
import { language, translated } from './language.ts'

/** Sentences that the first page needs already; those of a feature come with its own pages. */
const base = { ...common, ...fields, ...lists, ...palette, ...parts, ...shell }

type Values = Readonly<Record<string, string | number | Date>>
type Speech<Word extends string> = {
  /** The sentence with `values` in it. Throws where a value that it names is missing. */
  say: (word: Word, values?: Values) => string
  /** The sentence with elements in it, such as a link: nothing where an element is nothing. */
  tell: (word: Word, values: Readonly<Record<string, ReactNode>>) => ReactNode
  /** Whether a text is the key of a sentence: for words that are made of what a server answered. */
  isWord: (text: string) => text is Word
}

/**
 * What the pages of a feature say: its sentences, and those that every page has. A feature makes this once, in its
 * `words.ts`, so that its sentences are loaded with its pages.
 */
export function wordsOf<const Own extends Sentences>(own: Own): Speech<(keyof Own | keyof typeof base) & string> {
  const sentences = { ...base, ...own }
  const formatOf = formatsOf(sentences, language, translated)
  return {
    say: (word, values) => String(formatOf(word).format(values)),
    tell: (word, values) => {
      const told = formatOf(word).format<ReactNode>(values)
      return createElement(Fragment, null, ...(Array.isArray(told) ? told : [told]))
    },
    isWord: (text): text is (keyof Own | keyof typeof base) & string => Object.hasOwn(sentences, text),
  }
}

/** For what every page has: it says the sentences of no feature. */
export const { say, tell, isWord } = wordsOf({})
export type Word = Parameters<typeof say>[0]
