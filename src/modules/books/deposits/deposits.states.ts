import { defineStates } from '../../../platform/db/states.ts'

/** The transitions by staff and clients. RULES “Deposits”. */
export const depositStates = defineStates({
  pending: ['settled', 'partially_settled', 'failed', 'cancelled'],
  failed: [],
  settled: [],
  partially_settled: [],
  cancelled: [],
})

/** A gateway may also settle a failed or cancelled deposit, which is audited as late. */
export const gatewayStates = defineStates({
  ...depositStates,
  failed: ['settled'],
  cancelled: ['settled'],
})
