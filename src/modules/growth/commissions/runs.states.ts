import { defineStates } from '../../../platform/db/states.ts'

export const runStates = defineStates({
  computing: ['closed', 'done', 'failed'],
  closed: [],
  done: [],
  failed: [],
})
