import { keptRecords } from '../../../src/words/en/kept-records.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say } = wordsOf(keptRecords)
