import type { Ctx } from '../../platform/access/ctx.ts'
import { csvResponse } from '../../platform/http/csv.ts'
import { type Query, readAll } from '../../platform/http/page.ts'
import { withNameCell } from '../traders/traders.rows.ts'
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

/** Every deposit the list's filters let through, as CSV, newest first; audited, since data leaves the house. */
export async function exportDeposits(ctx: Ctx, query: Query): Promise<Response> {
  await ctx.write('deposit.export', (tx) => tx.audit({ entity: 'deposit', after: { filters: query } }))
  const rows = function* () {
    for (const batch of readAll(ctx.db, depositList, query)) {
      yield withNameCell(ctx.db, batch, (row) => {
        const deposit = toDeposit(row)
        return COLUMNS.map((column) => deposit[column])
      })
    }
  }
  return csvResponse(ctx, 'deposits.csv', [...COLUMNS, 'traderName'], rows())
}
