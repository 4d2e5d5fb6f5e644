import { withdrawals } from '../../../../src/words/en/withdrawals.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(withdrawals)
