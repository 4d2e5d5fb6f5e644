import { adjustments } from '../../../../src/words/en/adjustments.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(adjustments)
