import { mail } from '../../../../src/words/en/mail.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(mail)
