import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { readSum, sumDiffers, sumOf } from '../../platform/db/sums.ts'
import { type PageOf, type Query, readPage } from '../../platform/http/page.ts'
import { formatAmount } from '../../platform/money.ts'
import { ledgerFeed, type PostedEntryOut, type TrialBalanceOut, toLedgerEntry } from './wallets.model.ts'
import { type LedgerAccount, ledgerTransactions } from './wallets.table.ts'

const BALANCES = `SELECT account, currency, ${sumOf('amount')} AS balance, count(*) AS entries
  FROM ledger_entries WHERE tenant_id = ?1 GROUP BY account, currency ORDER BY currency, account`

type BalanceRow = { account: LedgerAccount; currency: string; balance: string; entries: number }

/** Sums per ledger account and currency; over all accounts each currency must be zero. */
export function readTrialBalance(db: Reader): Static<typeof TrialBalanceOut> {
  const rows = db.query<BalanceRow>(BALANCES).map((row) => ({ ...row, balance: readSum(row.balance) }))
  const totals = new Map<string, bigint>()
  for (const row of rows) totals.set(row.currency, (totals.get(row.currency) ?? 0n) + row.balance)
  return {
    balanced: [...totals.values()].every((total) => total === 0n),
    accounts: rows.map((row) => ({ ...row, balance: formatAmount(row.balance, row.currency) })),
    totals: [...totals].map(([currency, total]) => ({ currency, balance: formatAmount(total, currency) })),
  }
}

/** A page of the books with the movement of each entry. rules.md “Feeds”. */
export function readPosted(ctx: Ctx, query: Query): PageOf<Static<typeof PostedEntryOut>> {
  const page = readPage(ctx, ledgerFeed, query, (row) => row)
  const ids = [...new Set(page.data.map(({ transactionId }) => transactionId))]
  const movements = new Map(ctx.db.list(ledgerTransactions, { id: ids }).map((row) => [row.id, row]))
  const data = page.data.map((row) => {
    const { kind = '', reference = '' } = movements.get(row.transactionId) ?? {}
    return { ...toLedgerEntry(row), traderId: row.traderId, kind, reference }
  })
  return { ...page, data }
}

const AVAILABLE = `e.account = 'client_available'`
const HELD = `e.account = 'client_held'`
const DRIFTED = `SELECT w.id, w.currency
  FROM wallets w LEFT JOIN ledger_entries e ON e.tenant_id = w.tenant_id AND e.wallet_id = w.id
  WHERE w.tenant_id = ?1 GROUP BY w.id
  HAVING ${sumDiffers('e.amount', 'w.available', AVAILABLE)} OR ${sumDiffers('e.amount', 'w.held', HELD)} LIMIT 20`
const UNBALANCED = `SELECT transaction_id AS id, currency FROM ledger_entries
  WHERE tenant_id = ?1 GROUP BY transaction_id, currency HAVING ${sumDiffers('amount', '0')} LIMIT 20`

export type LedgerFault = { kind: 'wallet_drifted' | 'transaction_unbalanced'; id: string; currency: string }

/**
 * What the daily check looks for: wallets that differ from the replay
 * of their entries, and movements that do not balance. DESIGN §4.6.
 */
export function findLedgerFaults(db: Reader): LedgerFault[] {
  return [
    ...db
      .query<{ id: string; currency: string }>(DRIFTED)
      .map(({ id, currency }) => ({ kind: 'wallet_drifted' as const, id, currency })),
    ...db
      .query<{ id: string; currency: string }>(UNBALANCED)
      .map(({ id, currency }) => ({ kind: 'transaction_unbalanced' as const, id, currency })),
  ]
}
