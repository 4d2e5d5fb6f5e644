import { clients } from '../../../../src/words/en/clients.ts'
import { timeline } from '../../../../src/words/en/timeline.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf({ ...clients, ...timeline })
export type Word = Parameters<typeof say>[0]
