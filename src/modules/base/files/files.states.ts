import { defineStates } from '../../../platform/db/states.ts'

/** One upload, one attachment. A detached file waits for the purge. */
export const fileStates = defineStates({
  awaiting: ['uploaded'],
  uploaded: ['attached'],
  attached: [],
})
