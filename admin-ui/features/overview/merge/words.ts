import { merges } from '../../../../src/words/en/merges.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, isWord } = wordsOf(merges)
export type Word = Parameters<typeof say>[0]
