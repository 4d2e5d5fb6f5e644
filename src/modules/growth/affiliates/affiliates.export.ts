import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { affiliateList, toAffiliate } from './affiliates.model.ts'
import type { AffiliateRow } from './affiliates.table.ts'

const COLUMNS = ['id', 'createdAt', 'code', 'status', 'traderId', 'parentId', 'planId'] as const

/** Affiliates as a file, for staff. */
export const exportAffiliates = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, affiliateList, query, {
    entity: 'affiliate',
    form: (row: AffiliateRow) => toAffiliate(row, undefined, { own: false, masked: false }),
    columns: COLUMNS,
    more: clientColumn(ctx.db),
  })
