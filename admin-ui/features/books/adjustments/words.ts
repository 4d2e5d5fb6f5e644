import { adjustments } from '../../../../src/words/en/adjustments.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(adjustments)
