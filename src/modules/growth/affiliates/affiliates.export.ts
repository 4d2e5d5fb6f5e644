import type { Ctx } from '../../../platform/access/ctx.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import type { Query } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { clientColumn } from '../../clients/traders/traders.rows.ts'
import { affiliateList, toAffiliate } from './affiliates.model.ts'
import { countClients } from './affiliates.queries.ts'
import type { AffiliateRow } from './affiliates.table.ts'
import { affiliateBalances, type BalanceRow } from './balances.table.ts'

/** Tells an amount in each currency in which an affiliate earns: “12.50 EUR, 3.00 USD”. */
const tellSums = (balances: readonly BalanceRow[], pick: (one: BalanceRow) => bigint): string =>
  balances.map((one) => `${formatAmount(pick(one), one.currency)} ${one.currency}`).join(', ')

/** Sends affiliates as a file, with how many clients each brought, what it earned and what it is owed. */
export function exportAffiliates(ctx: Ctx, query: Query): Promise<Response> {
  const client = clientColumn(ctx.db)
  return sendList(ctx, affiliateList, query, {
    entity: 'affiliate',
    form: (row: AffiliateRow) => toAffiliate(row, undefined, { own: false, masked: false }),
    more: {
      columns: [...client.columns, 'clients', 'earned', 'owed'],
      of: (rows) => {
        const ids = rows.map(({ id }) => id)
        const [names, clients] = [client.of(rows), countClients(ctx, ids)]
        const all = ctx.db.list(affiliateBalances, { affiliateId: ids }, { orderBy: 'currency' })
        return ids.map((id, at) => {
          const own = all.filter(({ affiliateId }) => affiliateId === id)
          const owed = tellSums(own, ({ earned, paid }) => earned - paid)
          return [...(names[at] ?? []), clients.get(id) ?? 0, tellSums(own, ({ earned }) => earned), owed]
        })
      },
    },
  })
}
