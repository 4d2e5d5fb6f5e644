import { audit } from '../../../../src/words/en/audit.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(audit)
