import { affiliates } from '../../../../src/words/en/affiliates.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, isWord } = wordsOf(affiliates)
