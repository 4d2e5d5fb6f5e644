import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { toWallet, walletList } from './wallets.model.ts'

const COLUMNS = ['id', 'traderId', 'createdAt', 'currency', 'available', 'held', 'updatedAt'] as const

/** Wallets as a file: whose money the firm holds. */
export const exportWallets = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, walletList, query, {
    entity: 'wallet',
    form: toWallet,
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
