import { DAY } from '../../../platform/clock.ts'
import { defineStates } from '../../../platform/db/states.ts'
import { PAY_WITHIN_DAYS } from '../../../words/rule-figures.ts'

/** An approval is paid within this time, or goes back. Fixed by RULES “Withdrawals”. */
export const PAY_WITHIN = PAY_WITHIN_DAYS * DAY

/** What people may do. RULES “Withdrawals”. */
export const withdrawalStates = defineStates({
  requested: ['approved', 'rejected', 'cancelled'],
  approved: ['paid', 'rejected'],
  paid: [],
  rejected: [],
  cancelled: [],
})

/** What time does: an approval that is not paid goes back to be approved anew. */
export const lapseStates = defineStates({ ...withdrawalStates, approved: ['requested'] })
