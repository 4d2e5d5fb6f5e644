import { defineStates } from '../../platform/db/states.ts'

/** A decision can be revised, and a person never undoes one to open. Screening does, when it finds more than what was cleared. */
export const hitStates = defineStates({
  open: ['cleared', 'confirmed'],
  cleared: ['confirmed', 'open'],
  confirmed: ['cleared'],
})
