import { defineStates } from '../../../platform/db/states.ts'

/** An invited user becomes active only by accepting. */
export const userStates = defineStates({
  invited: ['disabled'],
  active: ['disabled'],
  disabled: ['active'],
})
