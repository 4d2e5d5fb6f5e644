import { clients } from '../../../../src/words/en/clients.ts'
import { timeline } from '../../../../src/words/en/timeline.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech({ ...clients, ...timeline })
export type SentenceKey = Parameters<typeof say>[0]
