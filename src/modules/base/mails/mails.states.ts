import { defineStates } from '../../../platform/db/states.ts'

/** The transitions that people cause; only the job sets `sent` and `failed`. */
export const mailStates = defineStates({
  held: ['queued'],
  queued: [],
  sent: [],
  failed: ['queued'],
})
