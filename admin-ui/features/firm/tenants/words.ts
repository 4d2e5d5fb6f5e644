import { tenants } from '../../../../src/words/en/tenants.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(tenants)
