import { defineErrors } from '../../platform/http/problem.ts'

export const kycErrors = defineErrors('kyc', {
  open_submission: [409, 'A submission of this trader is waiting already.'],
  final_rejection: [409, 'The last submission was rejected for good; the firm must be asked.'],
  document_used: [409, 'A document belongs to another submission already.'],
  nothing_open: [409, 'No submission of this trader is waiting.'],
  reason_needed: [422, 'Give a reason: a code of the catalogue, or a detail and whether it is final.'],
})
