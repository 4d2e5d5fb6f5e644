import { defineStates } from '../../../platform/db/states.ts'

export const payoutStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})
