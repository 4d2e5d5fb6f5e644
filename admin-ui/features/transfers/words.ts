import { transfers } from '../../../src/words/en/transfers.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(transfers)
