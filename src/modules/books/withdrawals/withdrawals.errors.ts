import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** These codes stand in RULES “Withdrawals” without the module's name. */
const named = defineErrors('', () => ({
  approval_lapsed: [409, say('withdrawals.error.approval_lapsed')],
  reference_used: [409, say('withdrawals.error.reference_used')],
  approval_void: [409, say('withdrawals.error.approval_void')],
  nothing_sent_required: [422, say('withdrawals.error.nothing_sent_required')],
}))

export const withdrawalErrors = {
  ...named,
  ...defineErrors('withdrawals', () => ({
    insufficient_funds: [409, say('withdrawals.error.insufficient_funds')],
    trader_not_active: [409, say('problems.error.trader_not_active')],
    legal_hold: [409, say('withdrawals.error.legal_hold')],
    kyc_too_low: [409, say('withdrawals.error.kyc_too_low')],
    kyc_waits: [409, say('withdrawals.error.kyc_waits')],
    sanctions_hit: [409, say('withdrawals.error.sanctions_hit')],
    under_review: [409, say('withdrawals.error.under_review')],
    own_request: [403, say('withdrawals.error.own_request')],
    own_destination: [403, say('withdrawals.error.own_destination')],
    already_decided: [409, say('withdrawals.error.already_decided')],
    needs_admin: [403, say('withdrawals.error.needs_admin')],
    staff_only: [403, say('withdrawals.error.staff_only')],
  })),
}
