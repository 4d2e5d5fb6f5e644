import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { statement } from '../../../platform/db/statement.ts'
import { toAccount } from '../../books/accounts/accounts.model.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { linkPositions } from '../../books/positions/positions.link.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { importLines } from './imports.table.ts'

const LOOK = 1000

/** Selects the next lines of a file, each with its account if the account has positions that are not linked. */
const WITH_LOST = statement(
  sql`SELECT part.line AS line, (SELECT ${accounts.id} FROM ${accounts} CROSS JOIN ${positions}
      INDEXED BY positions_unlinked ON ${positions.tenantId} = ?1 AND ${positions.accountId} IS NULL
        AND ${positions.platform} = ${accounts.platform} AND ${positions.accountNumber} = ${accounts.accountNumber}
        AND ${accounts.server} IN ('', trim(${positions.server}))
    WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = part.account_id AND ${accounts.deletedAt} IS NULL
    LIMIT 1) AS "accountId"
  FROM (SELECT ${importLines.line} AS line, ${importLines.accountId} AS account_id FROM ${importLines}
    WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.line} > ?3
    ORDER BY ${importLines.line} LIMIT ${sql.raw(String(LOOK))}) AS part ORDER BY part.line`,
)

/**
 * Links to a file's accounts the positions that they lack. Positions are linked after their account is committed, and a
 * kill may come in between. This runs before the import ends, so that a kill here starts it again.
 */
export async function linkLostPositions(ctx: Ctx, importId: string): Promise<void> {
  for (let after = 0; ; ) {
    const lines = ctx.db.query<{ line: number; accountId: string | null }>(WITH_LOST, [importId, after])
    const last = lines.at(-1)
    if (!last) return
    for (const { accountId } of lines)
      if (accountId !== null) await linkPositions(ctx, toAccount(ctx.db.get(accounts, accountId)))
    after = last.line
    await Bun.sleep(0)
  }
}
