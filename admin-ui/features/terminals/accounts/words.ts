import { terminals } from '../../../../src/words/en/terminals.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(terminals)
