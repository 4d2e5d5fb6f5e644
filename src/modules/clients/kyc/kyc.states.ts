import { defineStates } from '../../../platform/db/states.ts'

/** A rejected submission never reopens: a new attempt is a new submission. RULES “KYC”. */
export const submissionStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})

/**
 * An approved submission is rejected by a revocation, or by a final rejection that revokes; an ordinary rejection
 * applies only to waiting ones.
 */
export const revocationStates = defineStates({
  requested: [],
  approved: ['rejected'],
  rejected: [],
})

/** Approved documents wait again if their client's identity changes. */
export const reopenStates = defineStates({
  requested: [],
  approved: ['requested'],
  rejected: [],
})
