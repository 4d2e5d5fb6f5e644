import { mail } from '../../../src/words/en/mail.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say } = wordsOf(mail)
