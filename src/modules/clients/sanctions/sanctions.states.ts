import { defineStates } from '../../../platform/db/states.ts'

/** A decision can be revised, but not by people to open; the screening does that if it finds more than was cleared. */
export const hitStates = defineStates({
  open: ['cleared', 'confirmed'],
  cleared: ['confirmed', 'open'],
  confirmed: ['cleared'],
})

/**
 * A list holds money back until every client was compared with it; if that fails, the former one becomes current again.
 */
export const listStates = defineStates({
  screening: ['screened', 'replaced', 'failed'],
  screened: ['replaced'],
  replaced: ['screened'],
  failed: [],
})
