import { defineErrors } from '../../platform/http/problem.ts'

export const sanctionsErrors = defineErrors('sanctions', {
  same_list: [409, 'This very file is loaded already.'],
  screening_pending: [409, 'The client is being compared with the sanctions lists; repeat it in a minute.'],
  credit_blocked: [409, 'Nothing is credited or moved to this client now: a check of theirs is not finished.'],
})
