import type { Ctx } from '../../../platform/access/ctx.ts'
import { csvResponse } from '../../../platform/http/answers/csv.ts'
import { auditFile, readAll, refuseFile } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../traders/traders.rows.ts'
import { countFitting } from './audit.details.ts'
import { auditList } from './audit.model.ts'
import { timeRange, withDetails } from './audit.queries.ts'

const COLUMNS = [
  'seq',
  'at',
  'actorKind',
  'actorId',
  'actorName',
  'apiKeyId',
  'impersonatorId',
  'ip',
  'action',
  'entity',
  'entityId',
  'traderId',
  'before',
  'after',
  'hash',
] as const

/** Sends the filtered log as CSV, newest first; the export is audited. RULES “Audit log”. */
export async function exportAudit(ctx: Ctx, query: Query): Promise<Response> {
  refuseFile(ctx, auditList, query)
  const range = timeRange(ctx.db, query)
  const client = clientColumn(ctx.db)
  const read = readAll(ctx.db, auditList, query, { extra: range })
  const rows = function* () {
    for (const batch of read) {
      for (let at = 0; at < batch.length; ) {
        const part = batch.slice(at, at + countFitting(ctx.db, batch.slice(at)))
        const names = client.of(part)
        yield withDetails(ctx.db, part).map((entry, index) => [
          ...COLUMNS.map((column) => entry[column]),
          ...(names[index] ?? []),
        ])
        at += part.length
      }
    }
  }
  const file = csvResponse(ctx, 'audit.csv', [...COLUMNS, ...client.columns], rows())
  return auditFile(ctx, auditList, query, { action: 'audit.export', entity: 'audit_entry', file })
}
