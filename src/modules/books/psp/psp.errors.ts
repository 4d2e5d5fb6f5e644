import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const pspErrors = defineErrors('psp', () => ({
  bad_signature: [401, say('gateways.error.bad_signature')],
  disabled: [409, say('gateways.error.disabled')],
  amount_mismatch: [409, say('gateways.error.amount_mismatch')],
  after_partial: [409, say('gateways.error.after_partial')],
  contradiction: [409, say('gateways.error.contradiction')],
  unknown_deposit: [409, say('gateways.error.unknown_deposit')],
  secret_left: [409, say('gateways.error.secret_left')],
  reference_used: [409, say('gateways.error.reference_used')],
}))
