import { sanctions } from '../../../../src/words/en/sanctions.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(sanctions)
