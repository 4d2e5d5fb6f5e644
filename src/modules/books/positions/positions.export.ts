import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { positionList, toPosition } from './positions.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'accountId',
  'platform',
  'server',
  'ticket',
  'accountNumber',
  'symbol',
  'side',
  'volume',
  'openPrice',
  'currentPrice',
  'currency',
  'profit',
  'swap',
  'commission',
  'status',
  'openedAt',
  'closedAt',
  'createdAt',
] as const

/** Positions as a file. */
export const exportPositions = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, positionList, query, {
    entity: 'position',
    form: toPosition,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
