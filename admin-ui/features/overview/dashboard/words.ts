import { dashboard } from '../../../../src/words/en/dashboard.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(dashboard)
export type Word = Parameters<typeof say>[0]
