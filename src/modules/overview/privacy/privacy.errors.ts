import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const privacyErrors = defineErrors('privacy', () => ({
  not_by_key: [403, say('privacy.error.notByKey')],
  too_soon: [429, say('privacy.error.tooSoon', { minutes: 60 })],
}))
