import { settings } from '../../../../src/words/en/settings.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(settings)
