import { reports } from '../../../../src/words/en/reports.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(reports)
