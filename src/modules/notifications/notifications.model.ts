import { type Static, Type } from '@sinclair/typebox'
import { Nullable } from '../../platform/http/fields.ts'

const Count = Type.Integer({ minimum: 0 })

/** What waits for staff. `null` where the viewer may not know. Interface §4. */
export const SummaryOut = Type.Object({
  pendingKyc: Count,
  openSanctions: Nullable(Count),
  failedScreenings: Nullable(Count),
  pendingDeposits: Count,
  requestedWithdrawals: Count,
  approvedWithdrawals: Count,
  openTickets: Count,
  overdueTickets: Count,
  newLeads: Count,
  requestedAdjustments: Nullable(Count),
  pspExceptions: Nullable(Count),
  sentTransfers: Count,
  unconfirmedRates: Count,
})
export type Summary = Static<typeof SummaryOut>
