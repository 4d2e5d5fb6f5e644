import { moveIn } from '../../../../src/words/en/move-in.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(moveIn)
