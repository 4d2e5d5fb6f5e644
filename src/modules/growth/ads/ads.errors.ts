import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const adsErrors = defineErrors('ads', () => ({
  bad_signature: [401, say('ads.problem.bad_signature')],
  wrong_verify_token: [403, say('ads.problem.wrong_verify_token')],
  too_many_waiting: [503, say('ads.problem.too_many_waiting')],
  not_active: [409, say('ads.problem.not_active')],
  too_many_backfills: [409, say('ads.problem.too_many_backfills')],
}))
