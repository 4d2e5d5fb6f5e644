import { audit } from '../../../../src/words/en/audit.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(audit)
