import { apiKeys } from '../../../../src/words/en/api-keys.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell } = createSpeech(apiKeys)
export type SentenceKey = Parameters<typeof say>[0]
