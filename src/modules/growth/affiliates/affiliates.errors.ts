import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const affiliateErrors = defineErrors('affiliates', () => ({
  self_referral: [422, say('affiliates.error.self_referral')],
  code_taken: [409, say('affiliates.error.code_taken')],
  is_affiliate: [409, say('affiliates.error.is_affiliate')],
  cycle: [409, say('affiliates.error.cycle')],
  too_deep: [409, say('affiliates.error.too_deep')],
  closed: [409, say('affiliates.error.closed')],
}))
