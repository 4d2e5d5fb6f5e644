import { deposits } from '../../../../src/words/en/deposits.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(deposits)
