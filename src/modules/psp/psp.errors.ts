import { defineErrors } from '../../platform/http/problem.ts'

export const pspErrors = defineErrors('psp', {
  bad_signature: [401, 'The signature does not match the body.'],
  disabled: [409, 'This gateway connection is disabled.'],
  amount_mismatch: [409, 'The gateway names another amount than was announced; staff must settle this deposit.'],
  after_partial: [409, 'The deposit was settled in part by hand; staff must book the rest.'],
  contradiction: [409, 'The deposit is closed with another result.'],
  unknown_deposit: [409, 'There is no such deposit for this gateway; staff look at it.'],
  reference_used: [409, 'Another deposit was credited with this payment reference; staff look at it.'],
})
