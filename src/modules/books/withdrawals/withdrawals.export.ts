import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { toWithdrawal, withdrawalList } from './withdrawals.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'status',
  'currency',
  'amount',
  'approvedAt',
  'paidAt',
  'paymentReference',
  'rejectionDetail',
  'note',
] as const

/** Withdrawals as a file. */
export const exportWithdrawals = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, withdrawalList, query, {
    entity: 'withdrawal',
    form: toWithdrawal,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
