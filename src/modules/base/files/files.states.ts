import { defineStates } from '../../../platform/db/states.ts'

/** A file is uploaded and attached once. `releaseFile` goes past this table, and the purge then removes the file. */
export const fileStates = defineStates({
  awaiting: ['uploaded'],
  uploaded: ['attached'],
  attached: [],
})
