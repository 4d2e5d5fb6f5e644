import { tenants } from '../../../../src/words/en/tenants.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(tenants)
