import { fx } from '../../../../src/words/en/fx.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(fx)
