import { reports } from '../../../../src/words/en/reports.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(reports)
