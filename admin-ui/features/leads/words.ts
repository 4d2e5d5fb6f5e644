import { leads } from '../../../src/words/en/leads.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(leads)
