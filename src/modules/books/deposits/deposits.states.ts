import { defineStates } from '../../../platform/db/states.ts'

/** What staff and clients may do. RULES “Deposits”. */
export const depositStates = defineStates({
  pending: ['settled', 'partially_settled', 'failed', 'cancelled'],
  failed: [],
  settled: [],
  partially_settled: [],
  cancelled: [],
})

/** What a gateway may do and staff may not: settle after a failure or a cancelling, audited as late. */
export const gatewayStates = defineStates({
  ...depositStates,
  failed: ['settled'],
  cancelled: ['settled'],
})
