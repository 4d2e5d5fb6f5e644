import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../traders/traders.rows.ts'
import { hitList, toHit } from './sanctions.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'source',
  'reference',
  'name',
  'score',
  'status',
  'reason',
  'decidedBy',
  'decidedAt',
  'listHash',
] as const

/** Matches with official lists as a file, with what was decided and why. */
export const exportHits = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, hitList, query, {
    entity: 'sanctions_hit',
    form: toHit,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
