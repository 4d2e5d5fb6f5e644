import { deposits } from '../../../../src/words/en/deposits.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(deposits)
