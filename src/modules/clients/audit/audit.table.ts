import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ACTOR_KINDS } from '../../../platform/audit/audit.ts'
import { column, time } from '../../../platform/db/columns.ts'
import { fact, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const CHAINED = stays('the chain of hashes covers it; the clear text lies beside it and goes')
/** The audit log, for reading; only the platform writes it. */
export const auditEntries = tenantTable(
  'audit',
  'aud',
  {
    seq: column(integer().notNull(), fact, 'sql'),
    at: column(time().notNull(), fact, 'sql'),
    actorKind: column(text({ enum: ACTOR_KINDS }).notNull(), CHAINED, 'sql'),
    actorId: column(text(), CHAINED, 'sql'),
    apiKeyId: column(text(), CHAINED, 'sql'),
    impersonatorId: column(text(), CHAINED, 'sql'),
    ip: column(text(), CHAINED, 'hidden'),
    requestId: column(text(), CHAINED, 'hidden'),
    action: column(text().notNull(), CHAINED, 'sql'),
    entity: column(text().notNull(), CHAINED, 'sql'),
    entityId: column(text(), CHAINED, 'sql'),
    traderId: column(text(), untold, 'sql'),
    hash: column(text().notNull(), CHAINED, 'hidden'),
  },
  { entity: 'audit_entry', audited: false, person: { of: 'traderId' } },
)
export type AuditEntryRow = Row<typeof auditEntries>

/** The clear text of entries. It can be erased without breaking the chain; the platform writes it. */
export const auditData = sqliteTable('audit_data', {
  tenantId: text().notNull(),
  seq: integer().notNull(),
  before: text(),
  after: text(),
})

/** The sealed end of each firm's chain; the platform writes it. */
export const auditHeads = sqliteTable('audit_heads', {
  tenantId: text().primaryKey(),
  seq: integer().notNull(),
  hash: text().notNull(),
})
