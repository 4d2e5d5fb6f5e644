import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { adjustmentList, toAdjustment } from './adjustments.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'status',
  'direction',
  'currency',
  'amount',
  'reason',
  'walletId',
  'requestedBy',
  'decidedBy',
  'decidedAt',
  'decisionNote',
] as const

/** Adjustments as a file. */
export const exportAdjustments = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, adjustmentList, query, {
    entity: 'adjustment',
    form: toAdjustment,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
