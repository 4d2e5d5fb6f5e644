import { text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import {
  column,
  currency,
  described,
  flag,
  id,
  json,
  money,
  shownAs,
  stamps,
  time,
} from '../../../platform/db/columns.ts'
import {
  colleague,
  fact,
  freeText,
  internal,
  markedFreeText,
  ours,
  personal,
  personalAs,
  stays,
  untold,
} from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Time } from '../../../platform/wire/fields.ts'
import { worded } from '../../../platform/wire/schema-name.ts'

export const WITHDRAWAL_STATUS = ['requested', 'approved', 'paid', 'rejected', 'cancelled'] as const
export const DESTINATION_KINDS = ['bank', 'card', 'wallet', 'crypto'] as const

/** Where a client's money is paid to; the first withdrawal to it creates the row. */
export const payoutDestinations = tenantTable(
  'payout_destinations',
  'dst',
  {
    traderId: column(id().notNull(), untold, 'hidden'),
    kind: column(text({ enum: DESTINATION_KINDS }).notNull(), fact, 'api'),
    holder: column(text(), personal, 'api'),
    reference: column(text().notNull(), personal, 'api'),
    // two erased destinations must differ
    fingerprint: column(text().notNull(), ours(personalAs(`'erased:' || id`)), 'hidden'),
    createdBy: column(id(), colleague, 'hidden'),
    /** The authors of destinations that a merge joined to this one. */
    alsoBy: column(json<string[]>().notNull().default([]), colleague, 'hidden'),
    createdAt: column(time().notNull().default(0), fact, 'hidden'),
  },
  {
    entity: 'payout_destination',
    veil: 'destination',
    clientColumn: 'traderId',
    owner: 'traderId',
    secret: ['reference', 'fingerprint'],
    person: { of: 'traderId' },
  },
)
export type DestinationRow = Row<typeof payoutDestinations>

/** Returns all colleagues who entered a destination; they may not approve a withdrawal to it. */
export const listDestinationAuthors = ({
  createdBy,
  alsoBy,
}: Pick<DestinationRow, 'createdBy' | 'alsoBy'>): string[] =>
  createdBy === null ? [...alsoBy] : [createdBy, ...alsoBy]

const BOOKS = stays('a brokerage shows its books')
export const withdrawals = tenantTable(
  'withdrawals',
  'wdr',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    walletId: column(id().notNull(), BOOKS, 'api sql'),
    currency: column(currency().notNull(), BOOKS, 'api csv sql'),
    amount: column(money().notNull(), fact, 'api csv sql'),
    status: column(text({ enum: WITHDRAWAL_STATUS }).notNull().default('requested'), fact, 'api csv sql'),
    requestedBy: column(id(), colleague, 'sql'),
    destinationId: column(id().notNull(), BOOKS, 'api'),
    note: column(text(), freeText, 'api csv'),
    rejectionDetail: column(described('what the client is told'), markedFreeText, 'api csv sql'),
    paymentReference: column(text(), stays('the payment, as the bank refers to it'), 'api csv sql'),
    approvedAt: column(time(), fact, 'api csv sql'),
    paidAt: column(time(), fact, 'api csv sql'),
    /** When an approval expired unpaid; since then it is unknown whether the money was sent. */
    lapsedAt: column(shownAs(time(), worded(Time, 'when an approval was not paid in time')), untold, 'api sql'),
    rejectionNote: column(text(), ours(freeText), 'hidden'),
    /** Whether two people were needed when it was requested. */
    askedLarge: column(flag().notNull().default(false), internal, 'hidden'),
    /** The reference for comparison: trimmed, in one case. */
    referenceKey: column(text(), ours(stays('the reference as it is compared')), 'hidden'),
    ...stamps,
  },
  {
    entity: 'withdrawal',
    isMoney: true,
    owner: 'traderId',
    fileOrder: 'traderId createdAt status currency amount approvedAt paidAt paymentReference',
    isOwnNote: ({ requestedBy }) => requestedBy === null,
    person: { of: 'traderId' },
  },
)
export type WithdrawalRow = Row<typeof withdrawals>

/** Decisions of staff. The rows have no owner, so no client reads who decided. */
export const withdrawalDecisions = tenantTable(
  'withdrawal_decisions',
  'wdd',
  {
    withdrawalId: column(id().notNull(), colleague, 'sql'),
    userId: column(id().notNull(), colleague, 'sql'),
    role: column(text().$type<Role>().notNull(), colleague, 'sql'),
    decision: column(text({ enum: ['approve', 'reject'] }).notNull(), fact, 'sql'),
    note: column(text(), freeText, 'hidden'),
    void: column(flag().notNull().default(false), fact, 'sql'),
    createdAt: stamps.createdAt,
  },
  {
    entity: 'withdrawal_decision',
    isMoney: true,
    audited: false,
    person: { of: { sql: 'withdrawal_id IN (SELECT id FROM withdrawals WHERE tenant_id = ?1 AND trader_id = ?2)' } },
  },
)
export type DecisionRow = Row<typeof withdrawalDecisions>
