import { merges } from '../../../../src/words/en/merges.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, isSentenceKey } = createSpeech(merges)
export type SentenceKey = Parameters<typeof say>[0]
