import { sanctions } from '../../../../src/words/en/sanctions.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(sanctions)
