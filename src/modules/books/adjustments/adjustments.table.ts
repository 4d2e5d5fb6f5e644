import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, words } from '../../../platform/db/erasure.ts'
import { money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const ADJUSTMENT_STATUS = ['requested', 'approved', 'rejected'] as const
export const DIRECTIONS = ['credit', 'debit'] as const

/** Manual corrections: no owner, they are staff's business until they are in the ledger. */
export const adjustments = tenantTable(
  'adjustments',
  'adj',
  {
    traderId: text().notNull(),
    walletId: text().notNull(),
    direction: text({ enum: DIRECTIONS }).notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    reason: text().notNull(),
    status: text({ enum: ADJUSTMENT_STATUS }).notNull().default('requested'),
    requestedBy: text().notNull(),
    decidedBy: text(),
    decisionNote: text(),
    decidedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'adjustment',
    isMoney: true,
    person: {
      of: 'traderId',
      columns: {
        ...kept('a brokerage shows its books', 'walletId', 'currency'),
        ...colleagues('requestedBy', 'decidedBy'),
        reason: words,
        decisionNote: words,
      },
    },
  },
)
export type AdjustmentRow = Row<typeof adjustments>
