import { affiliates } from '../../../../src/words/en/affiliates.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, isSentenceKey } = createSpeech(affiliates)
