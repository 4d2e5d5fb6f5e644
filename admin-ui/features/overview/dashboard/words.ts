import { dashboard } from '../../../../src/words/en/dashboard.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(dashboard)
export type SentenceKey = Parameters<typeof say>[0]
