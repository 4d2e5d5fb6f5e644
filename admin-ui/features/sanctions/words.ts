import { sanctions } from '../../../src/words/en/sanctions.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say } = wordsOf(sanctions)
