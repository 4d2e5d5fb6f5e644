import { wallets } from '../../../../src/words/en/wallets.ts'
import { createSpeech } from '../../../lib/text/words.ts'

/** What these pages say. */
export const { say } = createSpeech(wallets)
