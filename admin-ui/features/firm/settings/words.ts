import { settings } from '../../../../src/words/en/settings.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(settings)
