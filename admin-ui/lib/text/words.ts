import { createElement, Fragment, type ReactNode } from 'react'
import { common } from '../../../src/words/en/everywhere.ts'
import { fields } from '../../../src/words/en/fields.ts'
import { lists } from '../../../src/words/en/lists.ts'
import { palette } from '../../../src/words/en/palette.ts'
import { parts } from '../../../src/words/en/parts.ts'
import { shell } from '../../../src/words/en/shell.ts'
import { createFormats, type Sentences } from '../../../src/words/speaker.ts'
import { language, translated } from './language.ts'

/** Sentences that the first page needs already; those of a feature come with its own pages. */
const base = { ...common, ...fields, ...lists, ...palette, ...parts, ...shell }

type Values = Readonly<Record<string, string | number | Date>>
type Speech<Key extends string> = {
  /** Returns the sentence with `values` in it. Throws if a value that it names is missing. */
  say: (key: Key, values?: Values) => string
  /** Returns the sentence with elements in it, such as a link; an empty element leaves nothing. */
  tell: (key: Key, values: Readonly<Record<string, ReactNode>>) => ReactNode
  /** Returns whether a text is the key of a sentence, for keys that are made of a server's answer. */
  isSentenceKey: (text: string) => text is Key
}

/**
 * Returns the functions by which a feature's pages use its sentences and the common ones. A feature calls this once, in
 * its `words.ts`, so that its sentences are loaded with its pages.
 */
export function createSpeech<const Own extends Sentences>(own: Own): Speech<(keyof Own | keyof typeof base) & string> {
  const sentences = { ...base, ...own }
  const findFormat = createFormats(sentences, language, translated)
  return {
    say: (key, values) => String(findFormat(key).format(values)),
    tell: (key, values) => {
      const formatted = findFormat(key).format<ReactNode>(values)
      return createElement(Fragment, null, ...(Array.isArray(formatted) ? formatted : [formatted]))
    },
    isSentenceKey: (text): text is (keyof Own | keyof typeof base) & string => Object.hasOwn(sentences, text),
  }
}

/** These functions use the common sentences and those of no feature. */
export const { say, tell, isSentenceKey } = createSpeech({})
export type SentenceKey = Parameters<typeof say>[0]
