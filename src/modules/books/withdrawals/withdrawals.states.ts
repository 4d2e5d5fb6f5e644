import { DAY } from '../../../platform/clock.ts'
import { defineStates } from '../../../platform/db/states.ts'
import { PAY_WITHIN_DAYS } from '../../../words/rule-figures.ts'

/** An approval is paid within this time, or goes back. RULES “Withdrawals”. */
export const PAY_WITHIN = PAY_WITHIN_DAYS * DAY

/** The transitions by people. RULES “Withdrawals”. */
export const withdrawalStates = defineStates({
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
  cancelled: [],
})

/** An approval that is not paid in time goes back. */
export const lapseStates = defineStates({ ...withdrawalStates, approved: ['requested'] })
