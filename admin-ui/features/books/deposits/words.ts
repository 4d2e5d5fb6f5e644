import { deposits } from '../../../../src/words/en/deposits.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(deposits)
