import { users } from '../../../../src/words/en/users.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(users)
