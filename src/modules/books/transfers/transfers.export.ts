import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { toTransfer, transferList } from './transfers.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'kind',
  'state',
  'fromCurrency',
  'fromAmount',
  'toCurrency',
  'toAmount',
  'rate',
  'fromWalletId',
  'toWalletId',
  'accountId',
  'reference',
  'platformReference',
  'refusalReason',
  'note',
] as const

/** Transfers as a file. */
export const exportTransfers = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, transferList, query, {
    entity: 'transfer',
    form: toTransfer,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
