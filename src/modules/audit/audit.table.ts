import { integer, text } from 'drizzle-orm/sqlite-core'
import { type Row, tenantTable, time } from '../../platform/db/tenant-table.ts'

/** The audit trail, read side: rows are written by the platform alone. */
export const auditEntries = tenantTable(
  'audit',
  'aud',
  {
    seq: integer().notNull(),
    at: time().notNull(),
    actorKind: text().notNull(),
    actorId: text(),
    apiKeyId: text(),
    impersonatorId: text(),
    ip: text(),
    requestId: text(),
    action: text().notNull(),
    entity: text().notNull(),
    entityId: text(),
    traderId: text(),
    hash: text().notNull(),
  },
  { entity: 'audit_entry', audited: false },
)
export type AuditEntryRow = Row<typeof auditEntries>
