import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const adsErrors = defineErrors('ads', () => ({
  bad_signature: [401, say('ads.problem.badSignature')],
  wrong_verify_token: [403, say('ads.problem.wrongVerifyToken')],
  too_many_waiting: [503, say('ads.problem.tooManyWaiting')],
  not_active: [409, say('ads.problem.notActive')],
  too_many_backfills: [409, say('ads.problem.tooManyBackfills')],
}))
