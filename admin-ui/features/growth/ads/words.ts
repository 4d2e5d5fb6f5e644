import { ads } from '../../../../src/words/en/ads.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(ads)
