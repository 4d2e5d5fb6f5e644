import { defineStates } from '../../platform/db/states.ts'

/** rules.md “Deposits”. A failed deposit may still settle: gateways report late successes. */
export const depositStates = defineStates({
  pending: ['settled', 'partially_settled', 'failed', 'cancelled'],
  failed: [],
  settled: [],
  partially_settled: [],
  cancelled: [],
})

/** What a gateway may do and staff may not: settle after a failure, audited as late. */
export const gatewayStates = defineStates({
  ...depositStates,
  failed: ['settled'],
})
