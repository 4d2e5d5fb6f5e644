import { boxes } from '../../../../src/words/en/boxes.ts'
import { standby } from '../../../../src/words/en/standby.ts'
import { system } from '../../../../src/words/en/system.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say } = createSpeech({ ...system, ...standby, ...boxes })
