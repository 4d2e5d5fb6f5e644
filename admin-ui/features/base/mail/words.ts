import { mail } from '../../../../src/words/en/mail.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(mail)
