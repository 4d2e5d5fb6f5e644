import { gateways } from '../../../../src/words/en/gateways.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(gateways)
