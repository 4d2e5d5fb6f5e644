import { ads } from '../../../../src/words/en/ads.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(ads)
