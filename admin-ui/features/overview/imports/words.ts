import { moveIn } from '../../../../src/words/en/move-in.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(moveIn)
