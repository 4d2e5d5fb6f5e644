import { sanctions } from '../../../../src/words/en/sanctions.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(sanctions)
