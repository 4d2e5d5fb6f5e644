import { positions } from '../../../src/words/en/positions.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say } = wordsOf(positions)
