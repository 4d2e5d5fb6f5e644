import { apiKeys } from '../../../../src/words/en/api-keys.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say, tell } = wordsOf(apiKeys)
export type Word = Parameters<typeof say>[0]
