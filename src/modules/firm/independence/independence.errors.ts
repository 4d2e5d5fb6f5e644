import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/**
 * Refusals of the four-eyes rules. Their codes stand in RULES “Independence”, “Deposits” and “Withdrawals” without a
 * module's name.
 */
export const independenceErrors = defineErrors('', () => ({
  not_independent: [403, say('independence.error.not_independent')],
  own_client: [403, say('independence.error.own_client')],
  password_change_required: [403, say('independence.error.password_change_required')],
  second_person_needed: [409, say('independence.error.second_person_needed')],
  too_new: [403, say('independence.error.too_new')],
  note_required: [422, say('independence.error.note_required')],
}))
