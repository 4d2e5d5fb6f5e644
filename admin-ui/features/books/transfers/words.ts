import { transfers } from '../../../../src/words/en/transfers.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(transfers)
