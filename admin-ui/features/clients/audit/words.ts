import { audit } from '../../../../src/words/en/audit.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(audit)
