import { fx } from '../../../../src/words/en/fx.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = createSpeech(fx)
