import { defineStates } from '../../../platform/db/states.ts'

/** RULES “KYC”. A new try is a new submission. */
export const submissionStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})

/**
 * An approval that turned red: revoked by somebody, or by a final
 * rejection that revokes. A rejection of its own never comes this late.
 */
export const revocationStates = defineStates({
  requested: [],
  approved: ['rejected'],
  rejected: [],
})

/** Approved papers of somebody who was renamed since: they are looked at again. */
export const reopenStates = defineStates({
  requested: [],
  approved: ['requested'],
  rejected: [],
})
