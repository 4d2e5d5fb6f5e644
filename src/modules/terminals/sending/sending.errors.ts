import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** These codes stand in RULES “Terminal money” and “Accounts on a terminal” without the module’s name. */
export const sendingErrors = defineErrors('', () => ({
  terminal_decides: [409, say('terminals.problem.terminal_decides')],
  deal_differs: [409, say('terminals.problem.deal_differs')],
  deal_used: [409, say('terminals.problem.deal_used')],
  not_ready: [409, say('terminals.problem.not_ready')],
  change_waits: [409, say('terminals.problem.change_waits')],
  trader_not_active: [409, say('problems.error.trader_not_active')],
  terminal_account: [409, say('terminals.problem.terminal_account')],
  note_required: [422, say('terminals.problem.note_required')],
  login_unknown: [409, say('terminals.problem.login_unknown')],
}))
