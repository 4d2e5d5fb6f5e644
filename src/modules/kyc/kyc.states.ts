import { defineStates } from '../../platform/db/states.ts'

/** rules.md “KYC”. A new try is a new submission. */
export const submissionStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})
