import { DAY } from '../../../platform/clock.ts'
import { defineStates } from '../../../platform/db/states.ts'
import { PAY_WITHIN_DAYS } from '../../../words/rule-figures.ts'

/** An approved withdrawal goes back unless it is paid within this time. RULES “Withdrawals”. */
export const PAY_WITHIN = PAY_WITHIN_DAYS * DAY

/** The transitions that people cause. RULES “Withdrawals”. */
export const withdrawalStates = defineStates({
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
  cancelled: [],
})

/** An approved withdrawal that is not paid in time goes back. */
export const lapseStates = defineStates({ ...withdrawalStates, approved: ['requested'] })
