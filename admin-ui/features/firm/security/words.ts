import { auth } from '../../../../src/words/en/auth.ts'
import { security } from '../../../../src/words/en/security.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech({ ...auth, ...security })
