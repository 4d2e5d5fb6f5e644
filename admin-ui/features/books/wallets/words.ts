import { wallets } from '../../../../src/words/en/wallets.ts'
import { wordsOf } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = wordsOf(wallets)
