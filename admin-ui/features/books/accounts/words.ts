import { accounts } from '../../../../src/words/en/accounts.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(accounts)
