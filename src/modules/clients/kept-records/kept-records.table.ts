import { integer, text } from 'drizzle-orm/sqlite-core'
import { sealed, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const KEPT_REASONS = ['documents', 'money', 'documents_and_money'] as const
export type KeptReason = (typeof KEPT_REASONS)[number]

/**
 * What the law has the firm keep of an erased client, by its number: neither this row nor its parts say whose it is,
 * but inside the seal. The audit of the erasure names the number.
 */
export const keptRecords = tenantTable(
  'kept_records',
  'kpr',
  {
    reason: text({ enum: KEPT_REASONS }).notNull(),
    /** The last money or decision in it, from which its years are counted. */
    lastAt: time().notNull(),
    /** As it was when the record was made; a longer setting only adds to it. */
    keptUntil: time().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'kept_record' },
)
export type KeptRecordRow = Row<typeof keptRecords>

/** A piece of the sealed text of a kept record, or one of its documents, whose bytes stay where they are sealed. */
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
