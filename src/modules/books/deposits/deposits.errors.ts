import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** These codes stand in RULES “Deposits” without the module's name. */
const named = defineErrors('', () => ({
  reference_used: [409, say('deposits.error.reference_used')],
  too_many_open: [409, say('deposits.error.too_many_open')],
}))

export const depositErrors = {
  ...named,
  ...defineErrors('deposits', () => ({
    trader_not_active: [409, say('problems.error.trader_not_active')],
    not_smaller: [422, say('deposits.error.not_smaller')],
    gateway_not_active: [409, say('deposits.error.gateway_not_active')],
    not_announced: [403, say('deposits.error.not_announced')],
  })),
}
