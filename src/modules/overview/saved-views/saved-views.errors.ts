import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/**
 * How many own, and how many shared, views of a list there may be; how many shared ones of a list by one person; and
 * how many views of one person in all.
 */
export const MOST_OF_A_LIST = 50
export const MOST_SHARED_BY_ONE = 20
export const MOST_OF_A_PERSON = 100

export const savedViewErrors = defineErrors('saved_view', () => ({
  too_many: [409, say('saved-views.problem.too_many', { most: MOST_OF_A_LIST })],
  too_many_shared: [409, say('saved-views.problem.too_many_shared', { most: MOST_SHARED_BY_ONE })],
  too_many_own: [409, say('saved-views.problem.too_many_own', { most: MOST_OF_A_PERSON })],
  sharing: [403, say('saved-views.problem.sharing')],
}))
