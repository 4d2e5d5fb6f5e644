import { defineErrors } from '../../platform/http/problem.ts'

/** A code that rules.md names stands without the module's name. */
const named = defineErrors('', {
  screening_pending: [409, 'The client is being compared with the sanctions lists; repeat it in a minute.'],
})

export const sanctionsErrors = {
  ...named,
  ...defineErrors('sanctions', {
    same_list: [409, 'This very file is loaded already.'],
    credit_blocked: [409, 'Nothing is credited or moved to this client now: a check of theirs is not finished.'],
  }),
}
