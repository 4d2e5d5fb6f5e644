import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

export const kycErrors = defineErrors('kyc', () => ({
  open_submission: [409, say('kyc.error.open_submission')],
  final_rejection: [409, say('kyc.error.final_rejection')],
  document_used: [409, say('kyc.error.document_used')],
  nothing_open: [409, say('kyc.error.nothing_open')],
  reason_needed: [422, say('kyc.error.reason_needed')],
}))
