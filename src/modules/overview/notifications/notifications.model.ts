import { type Static, Type } from '@sinclair/typebox'
import { Nullable } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'

/** Counts stop at this number. */
export const MOST_COUNTED = 10_000
const Count = Type.Integer({ minimum: 0, maximum: MOST_COUNTED, description: '10,000 stands for 10,000 or more' })

/** All staff see these counts; they are null only for a key without the scope. */
const OfStaff = Nullable(Count)

/** Counts of the work that waits for staff; null if the viewer may not see one. RULES “Notifications”. */
export const SummaryOut = nameSchema(
  'NotificationSummary',
  Type.Object({
    pendingKyc: OfStaff,
    openSanctions: Nullable(Count),
    failedScreenings: Nullable(Count),
    pendingDeposits: OfStaff,
    requestedWithdrawals: OfStaff,
    approvedWithdrawals: OfStaff,
    openTickets: OfStaff,
    overdueTickets: OfStaff,
    newLeads: OfStaff,
    requestedAdjustments: Nullable(Count),
    pspExceptions: Nullable(Count),
    sentTransfers: OfStaff,
    unconfirmedRates: OfStaff,
    requestedPayouts: Nullable(Count),
    terminalFindings: Nullable(Count),
    unresolvedTransfers: Nullable(Count),
  }),
)
export type Summary = Static<typeof SummaryOut>
