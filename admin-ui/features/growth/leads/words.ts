import { leads } from '../../../../src/words/en/leads.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(leads)
