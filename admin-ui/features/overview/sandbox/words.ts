import { reports } from '../../../../src/words/en/reports.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(reports)
