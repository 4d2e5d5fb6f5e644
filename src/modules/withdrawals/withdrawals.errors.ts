import { defineErrors } from '../../platform/http/problem.ts'

export const withdrawalErrors = defineErrors('withdrawals', {
  insufficient_funds: [409, 'The wallet does not hold that much that is free.'],
  trader_not_active: [409, 'The trader is not active.'],
  legal_hold: [409, 'A legal hold stops this trader’s money.'],
  kyc_too_low: [409, 'The trader’s KYC level is below what the policy asks for money out.'],
  sanctions_hit: [409, 'An open or confirmed sanctions hit stops this trader’s money.'],
  screening_pending: [409, 'The client is being compared with the sanctions lists; repeat it in a minute.'],
  own_request: [403, 'Who asked for a withdrawal does not decide it.'],
  own_client: [
    403,
    'You sent or read a sign-in link of this client, or changed their address: somebody else decides what they ask for.',
  ],
  own_destination: [403, 'Who entered the destination does not decide the withdrawal.'],
  already_decided: [409, 'You have decided this withdrawal already; it needs another person.'],
  needs_admin: [403, 'The other approval came from a manager; this amount needs one of admin or higher.'],
  payment_reference_used: [409, 'Another withdrawal was paid with this reference.'],
})
