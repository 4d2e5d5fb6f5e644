import { affiliates } from '../../../../src/words/en/affiliates.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, isSentenceKey } = createSpeech(affiliates)
