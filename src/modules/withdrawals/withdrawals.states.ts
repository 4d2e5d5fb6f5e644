import { defineStates } from '../../platform/db/states.ts'

/** rules.md “Withdrawals”. */
export const withdrawalStates = defineStates({
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
  cancelled: [],
})
