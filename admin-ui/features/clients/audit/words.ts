import { audit } from '../../../../src/words/en/audit.ts'
import { auditNames } from '../../../../src/words/en/audit-names.ts'
import { createSpeech } from '../../../lib/text/words.ts'

export const { say, tell, isSentenceKey } = createSpeech({ ...audit, ...auditNames })
