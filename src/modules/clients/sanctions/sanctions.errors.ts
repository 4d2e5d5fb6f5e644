import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** This code stands in RULES “Sanctions” without the module's name. */
const named = defineErrors('', () => ({
  screening_pending: [409, say('sanctions.error.screening_pending')],
}))

export const sanctionsErrors = {
  ...named,
  ...defineErrors('sanctions', () => ({
    same_list: [409, say('sanctions.error.same_list')],
    credit_blocked: [409, say('sanctions.error.credit_blocked')],
  })),
}
