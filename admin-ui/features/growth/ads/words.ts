import { ads } from '../../../../src/words/en/ads.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(ads)
