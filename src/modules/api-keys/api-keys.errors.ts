import { defineErrors } from '../../platform/http/problem.ts'

export const apiKeyErrors = defineErrors('api_keys', {
  beyond_you: [403, 'A key makes or changes no key that may do more, longer or from elsewhere than itself.'],
  role_above_you: [403, 'A key acts with a role at or below yours.'],
  above_you: [403, 'The key acts for somebody above your role.'],
})
