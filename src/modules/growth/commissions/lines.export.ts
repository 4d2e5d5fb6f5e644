import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { affiliateColumns } from '../affiliates/affiliates.csv-columns.ts'
import type { LineRow } from './commissions.table.ts'
import { lineList, toLine } from './lines.model.ts'
import { COUNTED } from './lines.queries.ts'

const COLUMNS = [
  'id',
  'occurredAt',
  'affiliateId',
  'traderId',
  'runId',
  'level',
  'model',
  'sourceType',
  'sourceId',
  'symbol',
  'lots',
  'currency',
  'amount',
  'rate',
  'note',
  'createdAt',
] as const

/** Sends the lines of closed runs as a file, for staff. */
export function exportLines(ctx: Ctx, query: Query): Promise<Response> {
  const [affiliate, client] = [affiliateColumns(ctx.db), clientColumn(ctx.db)]
  return sendList(ctx, lineList, query, {
    entity: 'commission_line',
    form: (row: LineRow) => toLine(row, false),
    columns: COLUMNS,
    more: {
      columns: [...affiliate.columns, ...client.columns],
      of: (rows) => {
        const clients = client.of(rows)
        return affiliate.of(rows).map((cells, at) => [...cells, ...(clients[at] ?? [])])
      },
    },
    only: { sql: COUNTED, params: [] },
  })
}
