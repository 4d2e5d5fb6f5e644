import { bulk } from '../../../../src/words/en/bulk.ts'
import { clients } from '../../../../src/words/en/clients.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech({ ...bulk, ...clients })
