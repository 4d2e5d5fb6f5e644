import { leads } from '../../../../src/words/en/leads.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(leads)
