import { type Static, Type } from '@sinclair/typebox'
import { Nullable } from '../../platform/wire/fields.ts'
import { named } from '../../platform/wire/named.ts'

/** Counts go this far; what is more is this many. */
export const MOST_COUNTED = 10_000
const Count = Type.Integer({ minimum: 0, maximum: MOST_COUNTED, description: '10,000 are 10,000 or more' })

/** What waits for staff. `null` where the viewer may not know. RULES “Notifications”. */
export const SummaryOut = named(
  'NotificationSummary',
  Type.Object({
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
    requestedPayouts: Nullable(Count),
  }),
)
export type Summary = Static<typeof SummaryOut>
