import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, markedWords } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const EXCEPTION_REASONS = [
  'amount',
  'currency',
  'after_partial',
  'contradiction',
  'unannounced',
  'reference_used',
  'secret_left',
] as const
export const EXCEPTION_STATES = ['open', 'closed'] as const

/**
 * A gateway's believed word that contradicts our books: work for
 * staff until a person closes it. No owner: clients do not see it.
 */
export const pspExceptions = tenantTable(
  'psp_exceptions',
  'pex',
  {
    connectionId: text().notNull(),
    depositId: text(),
    traderId: text(),
    reference: text().notNull(),
    status: text({ enum: ['success', 'failed'] }).notNull(),
    /** As the gateway wrote them: they may be no amount of ours. */
    amount: text(),
    currency: text(),
    reason: text({ enum: EXCEPTION_REASONS }).notNull(),
    /** How often the gateway said it again. */
    repeats: integer().notNull().default(0),
    state: text({ enum: EXCEPTION_STATES }).notNull().default('open'),
    closedBy: text(),
    closedAt: time(),
    closeReason: text(),
    bookedByDepositId: text(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'psp_exception',
    person: {
      of: 'traderId',
      columns: {
        ...kept(
          'the payment as the gateway called it: the books refer to it',
          'connectionId',
          'depositId',
          'reference',
          'amount',
          'currency',
          'bookedByDepositId',
        ),
        ...colleagues('closedBy'),
        closeReason: markedWords,
      },
    },
  },
)
export type PspExceptionRow = Row<typeof pspExceptions>
