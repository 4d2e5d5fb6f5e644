import { moveIn } from '../../../../src/words/en/move-in.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(moveIn)
