import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { affiliateColumns } from '../affiliates/affiliates.csv-columns.ts'
import { payoutList, toPayout } from './payouts.model.ts'
import type { PayoutRow } from './payouts.table.ts'

const COLUMNS = [
  'id',
  'createdAt',
  'affiliateId',
  'status',
  'currency',
  'amount',
  'reason',
  'requestedBy',
  'decidedBy',
  'decidedAt',
] as const

/** Payouts to affiliates as a file, for staff. */
export const exportPayouts = (ctx: Ctx, query: Query): Promise<Response> =>
  sendList(ctx, payoutList, query, {
    entity: 'affiliate_payout',
    form: (row: PayoutRow) => toPayout(row),
    columns: COLUMNS,
    more: affiliateColumns(ctx.db),
  })
