import { positions } from '../../../../src/words/en/positions.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(positions)
