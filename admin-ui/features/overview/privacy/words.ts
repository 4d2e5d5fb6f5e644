import { keptRecords } from '../../../../src/words/en/kept-records.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(keptRecords)
