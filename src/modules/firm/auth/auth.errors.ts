import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const authErrors = defineErrors('auth', () => ({
  invalid_credentials: [401, say('auth.error.invalid_credentials')],
  invalid_code: [401, say('auth.error.invalid_code')],
  wrong_password: [403, say('auth.error.wrong_password')],
  password_needed: [403, say('auth.error.password_needed')],
  wrong_code: [403, say('auth.error.invalid_code')],
  two_factor_on: [409, say('auth.error.two_factor_on')],
  two_factor_off: [409, say('auth.error.two_factor_off')],
  link_invalid: [410, say('auth.error.link_invalid')],
  not_by_key: [403, say('auth.error.not_by_key')],
}))
