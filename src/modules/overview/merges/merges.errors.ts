import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const mergeErrors = defineErrors('merges', () => ({
  needs_admin: [403, say('merges.error.needs_admin')],
  needs_person: [403, say('merges.error.needs_person')],
  two_affiliates: [409, say('merges.error.two_affiliates')],
}))
