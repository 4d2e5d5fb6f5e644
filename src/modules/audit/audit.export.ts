import type { Ctx } from '../../platform/access/ctx.ts'
import { csvResponse } from '../../platform/http/csv.ts'
import { readAll } from '../../platform/http/list-file.ts'
import type { Query } from '../../platform/http/page.ts'
import { clientColumn } from '../traders/traders.rows.ts'
import { reachOf } from './audit.details.ts'
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

/** The filtered log as CSV, newest first; itself audited. Interface §4. */
export async function exportAudit(ctx: Ctx, query: Query): Promise<Response> {
  await ctx.write('audit.export', (tx) => tx.audit({ entity: 'audit_entry', after: { filters: query } }))
  const range = timeRange(ctx.db, query)
  const client = clientColumn(ctx.db)
  const rows = function* () {
    for (const batch of readAll(ctx.db, auditList, query, { extra: range })) {
      for (let at = 0; at < batch.length; ) {
        const part = batch.slice(at, at + reachOf(ctx.db, batch.slice(at)))
        const names = client.of(part)
        yield withDetails(ctx.db, part).map((entry, index) => [
          ...COLUMNS.map((column) => entry[column]),
          ...(names[index] ?? []),
        ])
        at += part.length
      }
    }
  }
  return csvResponse(ctx, 'audit.csv', [...COLUMNS, ...client.columns], rows())
}
