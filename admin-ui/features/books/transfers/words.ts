import { transfers } from '../../../../src/words/en/transfers.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(transfers)
