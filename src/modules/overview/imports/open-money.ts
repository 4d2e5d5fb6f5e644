import { sql } from 'drizzle-orm'
import { listed, statement } from '../../../platform/db/statement.ts'
import { formatAmount } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { importLines, imports } from './imports.table.ts'

const WAITING = statement(
  sql`SELECT ${listed({ currency: importLines.currency, balance: sql`CAST(${importLines.balance} AS TEXT)` })}
  FROM ${importLines} CROSS JOIN ${imports}
    ON ${imports.tenantId} = ?1 AND ${imports.id} = ${importLines.importId}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.traderId} = ?2 AND ${importLines.posted} = 'no'
    AND ${importLines.balance} > 0 AND ${importLines.status} IN ('done', 'known')
    AND ${imports.status} IN ('loading', 'loaded', 'posting')`,
)

/** Names an opening balance of the client that waits for its second person, if there is one. */
export const openOpenings: OpenMoney = (db, traderId) =>
  db
    .query<{ currency: string; balance: string }>(WAITING, [traderId])
    .map(({ currency, balance }) =>
      say('client.open.opening', { amount: formatAmount(BigInt(balance), currency), currency }),
    )
