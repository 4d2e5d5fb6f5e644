import { integer, text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import { colleagues, kept, markedWords, ours, personal, personalAs, words } from '../../../platform/db/erasure.ts'
import { flag, json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const WITHDRAWAL_STATUS = ['requested', 'approved', 'paid', 'rejected', 'cancelled'] as const
export const DESTINATION_KINDS = ['bank', 'card', 'wallet', 'crypto'] as const

/** Where a trader's money may go: made with the first withdrawal that names it. */
export const payoutDestinations = tenantTable(
  'payout_destinations',
  'dst',
  {
    traderId: text().notNull(),
    kind: text({ enum: DESTINATION_KINDS }).notNull(),
    holder: text(),
    reference: text().notNull(),
    fingerprint: text().notNull(),
    createdBy: text(),
    /** Who entered those that a merge made one with this. */
    alsoBy: json<string[]>().notNull().default([]),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'payout_destination',
    veil: 'destination',
    tellsOf: 'traderId',
    owner: 'traderId',
    secret: ['reference', 'fingerprint'],
    person: {
      of: 'traderId',
      columns: {
        holder: personal,
        reference: personal,
        // two erased destinations must not look like one
        fingerprint: ours(personalAs(`'erased:' || id`)),
        ...colleagues('createdBy', 'alsoBy'),
      },
    },
  },
)
export type DestinationRow = Row<typeof payoutDestinations>

/** Everybody of the staff who entered a destination: none of them approves what goes there. */
export const authorsOf = ({ createdBy, alsoBy }: Pick<DestinationRow, 'createdBy' | 'alsoBy'>): string[] =>
  createdBy === null ? [...alsoBy] : [createdBy, ...alsoBy]

export const withdrawals = tenantTable(
  'withdrawals',
  'wdr',
  {
    traderId: text().notNull(),
    walletId: text().notNull(),
    destinationId: text().notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    status: text({ enum: WITHDRAWAL_STATUS }).notNull().default('requested'),
    note: text(),
    /** Two people were needed when it was asked for. */
    askedLarge: flag().notNull().default(false),
    requestedBy: text(),
    rejectionDetail: text(),
    rejectionNote: text(),
    paymentReference: text(),
    /** The reference as it is compared: trimmed, in one case. */
    referenceKey: text(),
    approvedAt: time(),
    paidAt: time(),
    /** When an approval was not paid in time: since then nobody knows whether the money left. */
    lapsedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'withdrawal',
    isMoney: true,
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: {
        ...kept('a brokerage shows its books', 'walletId', 'destinationId', 'currency'),
        ...kept('the payment, as the bank refers to it', 'paymentReference'),
        referenceKey: ours({ goes: null, why: 'the reference as it is compared' }),
        ...colleagues('requestedBy'),
        note: words,
        rejectionNote: ours(words),
        rejectionDetail: markedWords,
      },
    },
  },
)
export type WithdrawalRow = Row<typeof withdrawals>

/** Decisions of staff; no owner, so no trader session reads who decided. */
export const withdrawalDecisions = tenantTable(
  'withdrawal_decisions',
  'wdd',
  {
    withdrawalId: text().notNull(),
    userId: text().notNull(),
    role: text().$type<Role>().notNull(),
    decision: text({ enum: ['approve', 'reject'] }).notNull(),
    note: text(),
    void: flag().notNull().default(false),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'withdrawal_decision',
    isMoney: true,
    audited: false,
    person: {
      of: { sql: 'withdrawal_id IN (SELECT id FROM withdrawals WHERE tenant_id = ?1 AND trader_id = ?2)' },
      columns: {
        note: words,
        ...colleagues('withdrawalId', 'userId', 'role'),
      },
    },
  },
)
export type DecisionRow = Row<typeof withdrawalDecisions>
