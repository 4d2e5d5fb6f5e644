import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const apiKeyErrors = defineErrors('api_keys', () => ({
  too_many: [409, say('api-keys.error.too_many')],
  beyond_you: [403, say('api-keys.error.beyond_you')],
  role_above_you: [403, say('api-keys.error.role_above_you')],
  above_you: [403, say('api-keys.error.above_you')],
}))
