import { support } from '../../../../src/words/en/support.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(support)
export type SentenceKey = Parameters<typeof say>[0]
