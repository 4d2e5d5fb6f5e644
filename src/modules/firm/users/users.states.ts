import { defineStates } from '../../../platform/db/states.ts'

/** An invited user becomes active by accepting, never by somebody's hand. */
export const userStates = defineStates({
  invited: ['disabled'],
  active: ['disabled'],
  disabled: ['active'],
})
