import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, described, id, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, markedFreeText, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const EXCEPTION_REASONS = [
  'amount',
  'currency',
  'after_partial',
  'contradiction',
  'unannounced',
  'reference_used',
  'secret_left',
] as const
const EXCEPTION_STATES = ['open', 'closed'] as const

const PAYMENT = stays('the payment as the gateway called it: the books refer to it')

/**
 * A gateway's verified result that contradicts our books, for a person to close. The rows have no owner, so clients do
 * not see them.
 */
export const pspExceptions = tenantTable(
  'psp_exceptions',
  'pex',
  {
    connectionId: column(id().notNull(), PAYMENT, 'api'),
    depositId: column(id(), PAYMENT, 'api'),
    traderId: column(id(), untold, 'api'),
    reference: column(described('the payment as the gateway calls it').notNull(), PAYMENT, 'api'),
    status: column(text({ enum: ['success', 'failed'] }).notNull(), fact, 'api'),
    // the gateway's texts need not be a valid amount
    amount: column(described('as the gateway wrote it'), PAYMENT, 'api'),
    currency: column(described('as the gateway wrote it'), PAYMENT, 'api'),
    reason: column(text({ enum: EXCEPTION_REASONS }).notNull(), fact, 'api'),
    /** How often the gateway repeated the callback. */
    repeats: column(integer().notNull().default(0), fact, 'api'),
    state: column(text({ enum: EXCEPTION_STATES }).notNull().default('open'), fact, 'api'),
    closedBy: column(id(), colleague, 'api'),
    closedAt: column(time(), fact, 'api'),
    closeReason: column(text(), markedFreeText, 'api'),
    bookedByDepositId: column(id(), PAYMENT, 'api'),
    ...stamps,
  },
  { entity: 'psp_exception', person: { of: 'traderId' } },
)
export type PspExceptionRow = Row<typeof pspExceptions>
