import { help } from '../../../../src/words/en/help.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, isSentenceKey } = createSpeech(help)
