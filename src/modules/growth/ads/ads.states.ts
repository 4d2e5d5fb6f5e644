import { defineStates } from '../../../platform/db/states.ts'

/** RULES “Ads”. A refused token makes an error of it, a test that succeeds, or a person, ends that. */
export const adConnectionStates = defineStates({
  active: ['error', 'disabled'],
  error: ['active', 'disabled'],
  disabled: ['active'],
})

/** A backfill waits and goes on as often as the platform wants; both ends are final. */
export const adBackfillStates = defineStates({
  running: ['waiting', 'done', 'failed'],
  waiting: ['running', 'done', 'failed'],
  done: [],
  failed: [],
})
