import { kyc } from '../../../../src/words/en/kyc.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(kyc)
