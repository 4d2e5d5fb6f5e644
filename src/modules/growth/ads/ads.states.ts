import { defineStates } from '../../../platform/db/states.ts'

/** A refused token makes an error; a successful test or a person ends it. RULES “Ads”. */
export const adConnectionStates = defineStates({
  active: ['error', 'disabled'],
  error: ['active', 'disabled'],
  disabled: ['active'],
})

/** A backfill may wait and continue any number of times; both of its end states are final. */
export const adBackfillStates = defineStates({
  running: ['waiting', 'done', 'failed'],
  waiting: ['running', 'done', 'failed'],
  done: [],
  failed: [],
})
