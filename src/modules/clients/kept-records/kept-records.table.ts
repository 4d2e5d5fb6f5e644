import { integer, text } from 'drizzle-orm/sqlite-core'
import { sealed, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const KEPT_REASONS = ['documents', 'money', 'documents_and_money'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/**
 * The records that the law requires to keep of erased clients, each under a number. Only the sealed text says who the
 * client was; the audit of the erasure names the number.
 */
export const keptRecords = tenantTable(
  'kept_records',
  'kpr',
  {
    reason: text({ enum: KEPT_REASONS }).notNull(),
    /** The last money or decision in the record; the years are counted from here. */
    lastAt: time().notNull(),
    /** The end as it was when the record was made; a longer setting can only extend it. */
    keptUntil: time().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'kept_record' },
)
export type KeptRecordRow = Row<typeof keptRecords>

/** A piece of a kept record's sealed text, or one of its documents, whose sealed bytes stay where they are. */
export const keptParts = tenantTable(
  'kept_parts',
  'kpp',
  {
    recordId: text().notNull(),
    position: integer().notNull(),
    sealed: sealed(),
    fileId: text(),
  },
  { entity: 'kept_part', secret: ['sealed'], audited: false },
)
