import { webhooks } from '../../../../src/words/en/webhooks.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(webhooks)
export type Word = Parameters<typeof say>[0]
