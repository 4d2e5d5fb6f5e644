import { leads } from '../../../../src/words/en/leads.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(leads)
