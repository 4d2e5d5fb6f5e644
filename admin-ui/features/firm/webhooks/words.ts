import { webhooks } from '../../../../src/words/en/webhooks.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell, isSentenceKey } = createSpeech(webhooks)
export type SentenceKey = Parameters<typeof say>[0]
