import { positions } from '../../../../src/words/en/positions.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(positions)
