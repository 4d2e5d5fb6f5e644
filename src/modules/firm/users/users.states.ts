import { defineStates } from '../../../platform/db/states.ts'

/** An invited user becomes active only by accepting the invitation. */
export const userStates = defineStates({
  invited: ['disabled'],
  active: ['disabled'],
  disabled: ['active'],
})
