import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const mergeErrors = defineErrors('merges', () => ({
  needs_admin: [403, say('merges.error.needsAdmin')],
  needs_person: [403, say('merges.error.needsPerson')],
  two_affiliates: [409, say('merges.error.twoAffiliates')],
}))
