import { defineStates } from '../../../platform/db/states.ts'

/** A closed affiliate stays closed: its client may become a new one with another code. */
export const affiliateStates = defineStates({
  pending: ['active', 'closed'],
  active: ['suspended', 'closed'],
  suspended: ['active', 'closed'],
  closed: [],
})
