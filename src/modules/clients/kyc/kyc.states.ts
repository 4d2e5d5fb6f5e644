import { defineStates } from '../../../platform/db/states.ts'

/** A new attempt is a new submission. RULES “KYC”. */
export const submissionStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})

/**
 * An approval becomes rejected by revocation, or by a final rejection that revokes; an ordinary rejection cannot come
 * this late.
 */
export const revocationStates = defineStates({
  requested: [],
  approved: ['rejected'],
  rejected: [],
})

/** Approved documents wait again if their client's identity changed. */
export const reopenStates = defineStates({
  requested: [],
  approved: ['requested'],
  rejected: [],
})
