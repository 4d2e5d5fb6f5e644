import { system } from '../../../../src/words/en/system.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(system)
