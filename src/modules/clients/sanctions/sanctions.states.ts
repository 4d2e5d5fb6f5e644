import { defineStates } from '../../../platform/db/states.ts'

/** People may revise a decision but never reopen a hit; the screening does so if it finds more than was cleared. */
export const hitStates = defineStates({
  open: ['cleared', 'confirmed'],
  cleared: ['confirmed', 'open'],
  confirmed: ['cleared'],
})

/** A new list holds money back until all clients are compared with it; if that fails, the former list is current. */
export const listStates = defineStates({
  screening: ['screened', 'replaced', 'failed'],
  screened: ['replaced'],
  replaced: ['screened'],
  failed: [],
})
