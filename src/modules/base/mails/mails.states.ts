import { defineStates } from '../../../platform/db/states.ts'

/** These are the transitions by people; only the job sets sent and failed. */
export const mailStates = defineStates({
  held: ['queued'],
  queued: [],
  sent: [],
  failed: ['queued'],
})
