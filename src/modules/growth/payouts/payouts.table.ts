import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, markedWords } from '../../../platform/db/erasure.ts'
import { json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const PAYOUT_STATUS = ['requested', 'approved', 'rejected'] as const

/** Somebody's approval of a payout, with the note that a part of their own in it needs. */
export type PayoutVote = { userId: string; at: number; note: string | null }

/** What an affiliate asks for of what it earned: paid into its client's wallet once somebody approves. */
export const affiliatePayouts = tenantTable(
  'affiliate_payouts',
  'apo',
  {
    affiliateId: text().notNull(),
    traderId: text().notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    status: text({ enum: PAYOUT_STATUS }).notNull().default('requested'),
    requestedBy: text(),
    decidedBy: text(),
    decidedAt: time(),
    reason: text(),
    /** Approvals so far, each by another person. */
    votes: json<PayoutVote[]>().notNull().default([]),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'affiliate_payout',
    isMoney: true,
    broker: 'affiliateId',
    person: {
      of: 'traderId',
      columns: {
        reason: markedWords,
        ...kept('a brokerage shows its books', 'affiliateId', 'currency'),
        ...colleagues('requestedBy', 'decidedBy', 'votes'),
      },
    },
  },
)
export type PayoutRow = Row<typeof affiliatePayouts>
