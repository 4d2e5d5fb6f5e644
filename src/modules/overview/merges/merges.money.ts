import { sql } from 'drizzle-orm'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { type Leg, post, walletFor } from '../../books/wallets/ledger.service.ts'
import { wallets } from '../../books/wallets/wallets.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'

/**
 * Make open operations on a wallet (?2) use another one (?3) from now on. Finished operations still name the wallet of
 * their movement, as the ledger does.
 */
const REPOINTED = [
  sql`UPDATE ${withdrawals} SET ${bare(withdrawals.walletId)} = ?3 WHERE ${withdrawals.tenantId} = ?1
    AND ${withdrawals.walletId} = ?2 AND ${withdrawals.status} IN ('requested', 'approved')`,
  sql`UPDATE ${adjustments} SET ${bare(adjustments.walletId)} = ?3 WHERE ${adjustments.tenantId} = ?1
    AND ${adjustments.walletId} = ?2 AND ${adjustments.status} = 'requested'`,
  sql`UPDATE ${transfers} SET ${bare(transfers.fromWalletId)} = ?3 WHERE ${transfers.tenantId} = ?1
    AND ${transfers.fromWalletId} = ?2 AND ${transfers.state} = 'sent'`,
  sql`UPDATE ${transfers} SET ${bare(transfers.toWalletId)} = ?3 WHERE ${transfers.tenantId} = ?1
    AND ${transfers.toWalletId} = ?2 AND ${transfers.state} = 'sent'`,
].map(statement)

/**
 * Posts the money of the secondary's wallets, free and held separately, into the primary's wallets of the same
 * currency, and redirects open operations. No row of the ledger is rewritten. RULES “Merges”.
 */
export function moveMoney(tx: Tx, mergeId: string, primaryId: string, secondaryId: string): void {
  for (const from of tx.list(wallets, { traderId: secondaryId })) {
    const { currency, available, held } = from
    const to = walletFor(tx, primaryId, currency)
    const legs = [
      ['client_available', available],
      ['client_held', held],
    ] as const
    const posted = legs.flatMap(([account, amount]): Leg[] =>
      amount === 0n
        ? []
        : [
            { account, wallet: from, currency, amount: -amount },
            { account, wallet: to, currency, amount },
          ],
    )
    if (posted.length > 0) {
      const description = say('merges.ledger.description')
      post(tx, { kind: 'merge', reference: `${mergeId}:${currency}`, description, legs: posted })
    }
    for (const sql of REPOINTED) tx.execute(sql, [from.id, to.id])
  }
}
