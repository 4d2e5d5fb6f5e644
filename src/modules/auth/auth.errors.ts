import { defineErrors } from '../../platform/http/problem.ts'

/** Its code is that of rules.md, without the module's name. */
export const freshErrors = defineErrors('', {
  reauthentication_required: [403, 'Give your password again: the last sign-in was too long ago for this.'],
})

export const authErrors = defineErrors('auth', {
  invalid_credentials: [401, 'The e-mail address or the password is not right.'],
  invalid_code: [401, 'The code is not right or was used already.'],
  wrong_password: [403, 'The current password is not right.'],
  password_needed: [403, 'Give the password too: the last sign-in was too long ago.'],
  wrong_code: [403, 'The code is not right or was used already.'],
  two_factor_on: [409, 'Two-factor sign-in is on already.'],
  two_factor_off: [409, 'Two-factor sign-in is not set up.'],
  link_invalid: [410, 'This link was used or has expired; ask for a new one.'],
  not_by_key: [403, 'A key never signed in: it has nothing to renew.'],
})
