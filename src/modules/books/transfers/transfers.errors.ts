import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** This code stands in RULES “Transfers” without the module's name. */
export const namedErrors = defineErrors('', () => ({
  needs_withdrawal: [409, say('transfers.error.needs_withdrawal')],
}))

export const transferErrors = defineErrors('transfers', () => ({
  trader_not_active: [409, say('problems.error.trader_not_active')],
  legal_hold: [409, say('transfers.error.legal_hold')],
  account_not_active: [409, say('transfers.error.account_not_active')],
  other_trader: [403, say('transfers.error.other_trader')],
  from_account: [403, say('transfers.error.from_account')],
  above_funding: [403, say('transfers.error.above_funding')],
  above_balance: [409, say('transfers.error.above_balance'), say('transfers.todo.above_balance')],
  own_balance: [403, say('transfers.error.own_balance')],
  own_link: [403, say('transfers.error.own_link'), say('transfers.todo.own_link')],
  old_balance: [409, say('transfers.error.old_balance')],
  not_reported: [409, say('transfers.error.not_reported')],
  sanctions_hit: [409, say('transfers.error.sanctions_hit')],
}))
