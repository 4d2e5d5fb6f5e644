import { accounts } from '../../../../src/words/en/accounts.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(accounts)
