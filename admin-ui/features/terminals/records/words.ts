import { terminals } from '../../../../src/words/en/terminals.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(terminals)
