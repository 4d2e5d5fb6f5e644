import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const payoutErrors = defineErrors('payouts', () => ({
  not_active: [409, say('affiliates.error.not_active')],
  not_earned: [409, say('affiliates.error.not_earned')],
  below_minimum: [422, say('affiliates.error.below_minimum')],
  open_request: [409, say('affiliates.error.open_request')],
  own_request: [403, say('affiliates.error.own_request')],
  own_affiliate: [403, say('affiliates.error.own_affiliate')],
  own_plan: [403, say('affiliates.error.own_plan')],
  own_clients: [403, say('affiliates.error.own_clients')],
  already_decided: [409, say('affiliates.error.already_decided')],
  owes: [409, say('affiliates.error.owes')],
  no_client: [409, say('affiliates.error.no_client')],
}))
