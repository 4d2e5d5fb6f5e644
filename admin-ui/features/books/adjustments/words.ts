import { adjustments } from '../../../../src/words/en/adjustments.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(adjustments)
