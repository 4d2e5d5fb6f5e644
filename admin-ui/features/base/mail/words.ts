import { mail } from '../../../../src/words/en/mail.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(mail)
