import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { accountList, toAccount } from './accounts.model.ts'

const COLUMNS = [
  'id',
  'traderId',
  'createdAt',
  'platform',
  'accountNumber',
  'externalId',
  'currency',
  'balance',
  'equity',
  'leverage',
  'isDemo',
  'status',
] as const

/** Trading accounts as a file. */
export const exportAccounts = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, accountList, query, {
    entity: 'account',
    form: toAccount,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
