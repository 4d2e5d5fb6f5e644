import { withdrawals } from '../../../../src/words/en/withdrawals.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(withdrawals)
