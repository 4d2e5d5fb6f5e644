import { auth } from '../../../../src/words/en/auth.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(auth)
