import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ACTOR_KINDS } from '../../../platform/audit/audit.ts'
import { kept } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

/** The audit trail, read side: rows are written by the platform alone. */
export const auditEntries = tenantTable(
  'audit',
  'aud',
  {
    seq: integer().notNull(),
    at: time().notNull(),
    actorKind: text({ enum: ACTOR_KINDS }).notNull(),
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
  {
    entity: 'audit_entry',
    audited: false,
    person: {
      of: 'traderId',
      columns: kept(
        'the chain of hashes covers it; the clear text lies beside it and goes',
        ...([
          'actorKind',
          'actorId',
          'apiKeyId',
          'impersonatorId',
          'ip',
          'requestId',
          'action',
          'entity',
          'entityId',
          'hash',
        ] as const),
      ),
    },
  },
)
export type AuditEntryRow = Row<typeof auditEntries>

/** The clear text of entries, which can go while the chain stays; written by the platform. */
export const auditData = sqliteTable('audit_data', {
  tenantId: text().notNull(),
  seq: integer().notNull(),
  before: text(),
  after: text(),
})

/** The sealed end of each firm's chain; written by the platform. */
export const auditHeads = sqliteTable('audit_heads', {
  tenantId: text().primaryKey(),
  seq: integer().notNull(),
  hash: text().notNull(),
})
