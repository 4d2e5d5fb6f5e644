import { gateways } from '../../../../src/words/en/gateways.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(gateways)
