import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const privacyErrors = defineErrors('privacy', () => ({
  not_by_key: [403, say('privacy.error.not_by_key')],
  too_soon: [429, say('privacy.error.too_soon', { minutes: 60 })],
}))
