import { support } from '../../../../src/words/en/support.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(support)
export type Word = Parameters<typeof say>[0]
