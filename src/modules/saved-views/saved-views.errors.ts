import { defineErrors } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'

export const savedViewErrors = defineErrors('saved_view', {
  too_many: [409, say('saved-views.problem.tooMany')],
  sharing: [403, say('saved-views.problem.sharing')],
})
