import { tenants } from '../../../../src/words/en/tenants.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(tenants)
