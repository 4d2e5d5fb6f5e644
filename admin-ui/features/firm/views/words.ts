import { views } from '../../../../src/words/en/views.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(views)
