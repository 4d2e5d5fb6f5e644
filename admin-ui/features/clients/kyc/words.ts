import { kyc } from '../../../../src/words/en/kyc.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(kyc)
