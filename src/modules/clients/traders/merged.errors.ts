import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const mergedErrors = defineErrors('merges', () => ({
  lately: [403, say('merges.error.lately')],
}))
