import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Account } from '../accounts/accounts.model.ts'
import { convertClosings, linkClosings } from './closings.ts'
import { inCurrency } from './positions.amounts.ts'
import { positions } from './positions.table.ts'

/** One write links this many positions. */
const STEP = 500
const LINK = statement(
  sql`UPDATE ${positions} SET ${bare(positions.accountId)} = ?3, ${bare(positions.traderId)} = ?4,
    ${bare(positions.currency)} = ?5, ${bare(positions.reported)} = NULL, ${bare(positions.profit)} = ?6,
    ${bare(positions.swap)} = ?7, ${bare(positions.commission)} = ?8,
    ${bare(positions.version)} = ${positions.version} + 1, ${bare(positions.updatedAt)} = ?9,
    ${bare(positions.spread)} = ?10
  WHERE ${positions.tenantId} = ?1 AND ${positions.id} = ?2`,
)
const AFTER = statement(
  sql` AND ${positions.accountId} IS NULL AND ${positions.platform} = ? AND ${positions.accountNumber} = ?
  AND ? IN ('', trim(${positions.server})) AND ${positions.id} > ? ORDER BY ${positions.id} LIMIT ?`,
)

/**
 * Gives an account's client and currency to the positions that were reported before it was linked, in many short
 * writes, since there may be years of them. RULES “Positions”.
 */
export async function linkPositions(ctx: Ctx, account: Account): Promise<void> {
  const { id, traderId, currency, platform, server, accountNumber } = account
  if (accountNumber === null) return
  const read = (db: Ctx['db'], after: string) =>
    db.select(positions, AFTER, [platform, accountNumber, server, after, STEP])
  for (let after = ''; read(ctx.db, after).length > 0; ) {
    after = await ctx.write(
      'position.link',
      (tx) => {
        const rows = read(tx, after)
        for (const row of rows) {
          const amounts = row.reported && inCurrency(row.reported, currency)
          const closed = amounts && convertClosings(tx, row.id, currency)
          if (!amounts || !closed) continue
          const { profit, swap, commission, spread } = amounts
          tx.execute(LINK, [row.id, id, traderId, currency, profit, swap, commission, tx.now, spread])
          linkClosings(tx, closed)
        }
        return rows.at(-1)?.id ?? after
      },
      { answer: false },
    )
  }
}

// the version rises for readers of changes, above all commissions, since another client owns the positions now
const PASS_ON = statement(
  sql`UPDATE ${positions} SET ${bare(positions.traderId)} = ?3,
    ${bare(positions.version)} = ${positions.version} + 1, ${bare(positions.updatedAt)} = ?4
  WHERE ${positions.tenantId} = ?1 AND ${positions.accountId} = ?2`,
)

export const passPositionsOn = (tx: Tx, accountId: string, traderId: string): void =>
  void tx.execute(PASS_ON, [accountId, traderId, tx.now])

export const hasClosedPositions = (db: Reader, accountId: string): boolean =>
  db.find(positions, { accountId, status: 'closed' }) !== undefined
