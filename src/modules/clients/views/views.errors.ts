import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const viewErrors = defineErrors('views', () => ({
  not_by_key: [403, say('views.error.not_by_key')],
  not_below_you: [403, say('views.error.not_below_you')],
  no_access: [409, say('views.error.no_access')],
}))
