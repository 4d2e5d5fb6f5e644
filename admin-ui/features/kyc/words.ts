import { kyc } from '../../../src/words/en/kyc.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(kyc)
