import { views } from '../../../../src/words/en/views.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(views)
