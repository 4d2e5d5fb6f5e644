import { defineErrors } from '../../platform/http/problem.ts'

/** Codes that rules.md names stand without the module's name. */
const named = defineErrors('', {
  approval_lapsed: [409, 'It was approved more than seven days ago: approve it again, then pay it.'],
  approval_void: [409, 'A vote on it no longer counts: approve it again, then pay it.'],
  nothing_sent_required: [422, 'Its approval lapsed before it was paid: confirm that no money was sent.'],
})

export const withdrawalErrors = {
  ...named,
  ...defineErrors('withdrawals', {
    insufficient_funds: [409, 'The wallet does not hold that much that is free.'],
    trader_not_active: [409, 'The trader is not active.'],
    legal_hold: [409, 'A legal hold stops this trader’s money.'],
    kyc_too_low: [409, 'The trader’s KYC level is below what the policy asks for money out.'],
    sanctions_hit: [409, 'An open or confirmed sanctions hit stops this trader’s money.'],
    under_review: [409, 'Money cannot leave at the moment: please ask support.'],
    own_request: [403, 'Who asked for a withdrawal does not decide it.'],
    own_destination: [403, 'Who entered the destination does not decide the withdrawal.'],
    already_decided: [409, 'You have decided this withdrawal already; it needs another person.'],
    needs_admin: [403, 'The other approval came from a manager; this amount needs one of admin or higher.'],
    payment_reference_used: [409, 'Another withdrawal was paid with this reference.'],
    staff_only: [403, 'Its approval lapsed before it was paid: only staff take it back.'],
  }),
}
