import { defineStates } from '../../platform/db/states.ts'

/** A decision can be revised, never undone to open: somebody has looked. */
export const hitStates = defineStates({
  open: ['cleared', 'confirmed'],
  cleared: ['confirmed'],
  confirmed: ['cleared'],
})
