import { reports } from '../../../src/words/en/reports.ts'
import { wordsOf } from '../../lib/words.ts'

/** What these pages say. */
export const { say } = wordsOf(reports)
