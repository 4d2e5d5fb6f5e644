import type { Static } from '@sinclair/typebox'
import type { Reader } from '../../platform/db/reader.ts'
import { formatAmount } from '../../platform/money.ts'
import type { TrialBalanceOut } from './wallets.model.ts'
import type { LedgerAccount } from './wallets.table.ts'

// Sums leave SQLite as text: a sum may pass 2^53, where the driver's number would round.
const BALANCES = `SELECT account, currency, CAST(sum(amount) AS TEXT) AS balance, count(*) AS entries
  FROM ledger_entries WHERE tenant_id = ?1 GROUP BY account, currency ORDER BY currency, account`

type BalanceRow = { account: LedgerAccount; currency: string; balance: string; entries: number }

/** Sums per ledger account and currency; over all accounts each currency must be zero. */
export function readTrialBalance(db: Reader): Static<typeof TrialBalanceOut> {
  const rows = db.query<BalanceRow>(BALANCES)
  const totals = new Map<string, bigint>()
  for (const row of rows) totals.set(row.currency, (totals.get(row.currency) ?? 0n) + BigInt(row.balance))
  return {
    balanced: [...totals.values()].every((total) => total === 0n),
    accounts: rows.map((row) => ({ ...row, balance: formatAmount(BigInt(row.balance), row.currency) })),
    totals: [...totals].map(([currency, total]) => ({ currency, balance: formatAmount(total, currency) })),
  }
}

const DRIFTED = `SELECT w.id, w.currency, w.available, w.held,
  CAST(coalesce(sum(e.amount) FILTER (WHERE e.account = 'client_available'), 0) AS TEXT) AS replayedAvailable,
  CAST(coalesce(sum(e.amount) FILTER (WHERE e.account = 'client_held'), 0) AS TEXT) AS replayedHeld
  FROM wallets w LEFT JOIN ledger_entries e ON e.tenant_id = w.tenant_id AND e.wallet_id = w.id
  WHERE w.tenant_id = ?1 GROUP BY w.id
  HAVING coalesce(sum(e.amount) FILTER (WHERE e.account = 'client_available'), 0) <> w.available
    OR coalesce(sum(e.amount) FILTER (WHERE e.account = 'client_held'), 0) <> w.held LIMIT 20`
const UNBALANCED = `SELECT transaction_id AS id, currency, CAST(sum(amount) AS TEXT) AS balance FROM ledger_entries
  WHERE tenant_id = ?1 GROUP BY transaction_id, currency HAVING sum(amount) <> 0 LIMIT 20`

export type LedgerFault = { kind: 'wallet_drifted' | 'transaction_unbalanced'; id: string; currency: string }

/** What the daily check looks for: wallets that differ from the replay of their entries, and movements that do not balance. DESIGN §4.6. */
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
