import { wallets } from '../../../../src/words/en/wallets.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech(wallets)
