import { keptRecords } from '../../../../src/words/en/kept-records.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(keptRecords)
