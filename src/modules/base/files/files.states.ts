import { defineStates } from '../../../platform/db/states.ts'

/** A file is uploaded once and attached once. A released file waits for the purge. */
export const fileStates = defineStates({
  awaiting: ['uploaded'],
  uploaded: ['attached'],
  attached: [],
})
