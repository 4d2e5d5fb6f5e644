import { defineStates } from '../../../platform/db/states.ts'

/**
 * A decision can be revised, and a person never undoes one to
 * open. Screening does, when it finds more than what was cleared.
 */
export const hitStates = defineStates({
  open: ['cleared', 'confirmed'],
  cleared: ['confirmed', 'open'],
  confirmed: ['cleared'],
})

/**
 * A list holds money back until everybody was compared with it;
 * the one before waits to be current again where that fails.
 */
export const listStates = defineStates({
  screening: ['screened', 'replaced', 'failed'],
  screened: ['replaced'],
  replaced: ['screened'],
  failed: [],
})
