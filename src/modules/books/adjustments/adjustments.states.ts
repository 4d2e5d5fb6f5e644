import { defineStates } from '../../../platform/db/states.ts'

export const adjustmentStates = defineStates({
  requested: ['approved', 'rejected'],
  approved: [],
  rejected: [],
})
