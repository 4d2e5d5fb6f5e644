import { accounts } from '../../../../src/words/en/accounts.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(accounts)
