import { settings } from '../../../../src/words/en/settings.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(settings)
