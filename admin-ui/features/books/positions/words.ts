import { positions } from '../../../../src/words/en/positions.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(positions)
