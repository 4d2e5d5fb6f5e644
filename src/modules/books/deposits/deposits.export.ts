import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { depositList, toDeposit } from './deposits.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'status',
  'method',
  'currency',
  'amount',
  'settledAmount',
  'settledAt',
  'pspConnectionId',
  'providerReference',
  'failureReason',
  'note',
] as const

/** Deposits as a file. */
export const exportDeposits = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, depositList, query, {
    entity: 'deposit',
    form: toDeposit,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
