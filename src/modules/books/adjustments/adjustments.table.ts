import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, id, money, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, freeText, stays, untold } from '../../../platform/db/erasure.ts'
import { tenantTable } from '../../../platform/db/tenant-table.ts'

const ADJUSTMENT_STATUS = ['requested', 'approved', 'rejected'] as const
export const DIRECTIONS = ['credit', 'debit'] as const

const BOOKS = stays('a brokerage shows its books')
/** Manual corrections. The rows have no owner, so clients see only the entry in the ledger. */
export const adjustments = tenantTable(
  'adjustments',
  'adj',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    walletId: column(id().notNull(), BOOKS, 'api csv sql'),
    direction: column(text({ enum: DIRECTIONS }).notNull(), fact, 'api csv sql'),
    currency: column(currency().notNull(), BOOKS, 'api csv sql'),
    amount: column(money().notNull(), fact, 'api csv sql'),
    reason: column(text().notNull(), freeText, 'api csv sql'),
    status: column(text({ enum: ADJUSTMENT_STATUS }).notNull().default('requested'), fact, 'api csv sql'),
    requestedBy: column(id().notNull(), colleague, 'api csv sql'),
    decidedBy: column(id(), colleague, 'api csv sql'),
    decisionNote: column(text(), freeText, 'api csv'),
    decidedAt: column(time(), fact, 'api csv sql'),
    ...stamps,
  },
  {
    entity: 'adjustment',
    isMoney: true,
    fileOrder: 'traderId createdAt status direction currency amount reason',
    person: { of: 'traderId' },
  },
)
