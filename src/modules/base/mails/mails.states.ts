import { defineStates } from '../../../platform/db/states.ts'

/** What a person does to a mail; that it was sent, or failed, only the job says. */
export const mailStates = defineStates({
  held: ['queued'],
  queued: [],
  sent: [],
  failed: ['queued'],
})
