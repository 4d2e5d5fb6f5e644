import { defineErrors } from '../../platform/problem.ts'
import { say } from '../../words/say.ts'

export const supportErrors = defineErrors('support', {
  too_old: [409, say('support.error.too_old')],
  closed: [409, say('support.error.closed')],
  full: [409, say('support.error.full')],
})
