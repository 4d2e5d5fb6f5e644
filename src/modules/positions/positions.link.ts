import type { Ctx } from '../../platform/access/ctx.ts'
import type { Account } from '../accounts/accounts.model.ts'
import { inCurrency } from './positions.amounts.ts'
import { positions } from './positions.table.ts'

/** Positions of one write. */
const STEP = 500
const LINK = `UPDATE positions SET account_id = ?3, trader_id = ?4, currency = ?5, reported = NULL, profit = ?6, swap = ?7, commission = ?8,
  version = version + 1, updated_at = ?9 WHERE tenant_id = ?1 AND id = ?2`
const AFTER =
  ' AND positions.account_id IS NULL AND positions.platform = ? AND positions.account_number = ? AND positions.id > ? ORDER BY positions.id LIMIT ?'

/**
 * Gives the positions that were reported before somebody owned their account to that account: its trader, its currency.
 * Many short writes, since an account may have traded for years. rules.md “Positions”.
 */
export async function linkPositions(ctx: Ctx, account: Account): Promise<void> {
  const { id, traderId, currency, platform, accountNumber } = account
  if (accountNumber === null) return
  const read = (db: Ctx['db'], after: string) => db.select(positions, AFTER, [platform, accountNumber, after, STEP])
  for (let after = ''; read(ctx.db, after).length > 0; ) {
    after = await ctx.write(
      'position.link',
      (tx) => {
        const rows = read(tx, after)
        for (const row of rows) {
          const amounts = row.reported && inCurrency(row.reported, currency)
          if (!amounts) continue
          const { profit, swap, commission } = amounts
          tx.execute(LINK, [row.id, id, traderId, currency, profit, swap, commission, tx.now])
        }
        return rows.at(-1)?.id ?? after
      },
      { answer: false },
    )
  }
}
