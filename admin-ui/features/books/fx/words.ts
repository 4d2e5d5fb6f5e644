import { fx } from '../../../../src/words/en/fx.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(fx)
