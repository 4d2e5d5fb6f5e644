import { auth } from '../../../../src/words/en/auth.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(auth)
