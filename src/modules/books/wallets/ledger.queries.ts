import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText, sumDiffers } from '../../../platform/db/sums.ts'
import { type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import type { WalletHooks } from './wallets.hooks.ts'
import {
  type LedgerEntryOut,
  ledgerFeed,
  type PostedEntryOut,
  type TrialBalanceOut,
  toLedgerEntry,
  walletEntryList,
} from './wallets.model.ts'
import { ledgerEntries as entries, type LedgerAccount, ledgerTransactions, wallets } from './wallets.table.ts'

const BALANCES = statement(
  sql`SELECT ${listed({
    account: entries.account,
    currency: entries.currency,
    balance: sumAsText(entries.amount),
    entries: sql`count(*)`,
  })}
  FROM ${entries} WHERE ${entries.tenantId} = ?1
  GROUP BY ${entries.account}, ${entries.currency} ORDER BY ${entries.currency}, ${entries.account}`,
)

type BalanceRow = { account: LedgerAccount; currency: string; balance: string; entries: number }

/** Returns the sums by ledger account and currency; over all accounts each currency must sum to zero. */
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

/** Returns a page of the books with the movement of each entry. RULES “Feeds”. */
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

const AVAILABLE = sql`${entries.account} = 'client_available'`
const HELD = sql`${entries.account} = 'client_held'`
/** The index covers this sum, since the last page of a wallet with 100,000 entries adds up nearly as many. */
export const NEWER = statement(
  sql`SELECT ${listed({ available: sumAsText(entries.amount, AVAILABLE), held: sumAsText(entries.amount, HELD) })}
  FROM ${entries} WHERE ${entries.tenantId} = ?1 AND ${entries.walletId} = ?2
    AND (${entries.createdAt}, ${entries.id}) > (?3, ?4)`,
)

/**
 * Returns a page of the statement of one wallet: each entry with its cause and the balance after it. Balances are
 * counted back from the present ones, so the first page reads no other entries.
 */
export function readStatement(
  ctx: Ctx,
  { findReferences }: WalletHooks,
  walletId: string,
  query: Query,
): PageOf<Static<typeof LedgerEntryOut>> {
  const wallet = ctx.db.get(wallets, walletId)
  const page = readPage(ctx, walletEntryList, query, (row) => row, { walletId })
  const newestFirst = page.data.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  const [newest] = newestFirst
  if (!newest) return { ...page, data: [] }
  // the wallet was read with the reader's rights, so its entries are the reader's too
  const [newer] = ctx.unowned.query<{ available: string; held: string }>(NEWER, [walletId, newest.createdAt, newest.id])
  const left = new Map<LedgerAccount, bigint>([
    ['client_available', wallet.available - readSum(newer?.available ?? '')],
    ['client_held', wallet.held - readSum(newer?.held ?? '')],
  ])
  const take = (account: LedgerAccount, amount: bigint): bigint => {
    const before = left.get(account) ?? 0n
    left.set(account, before - amount)
    return before
  }
  const balances = new Map(newestFirst.map(({ id, account, amount }) => [id, take(account, amount)]))
  const ids = [...new Set(page.data.map(({ transactionId }) => transactionId))]
  // a movement has no owner; whoever may see an entry may see its movement
  const movements = new Map(ctx.unowned.list(ledgerTransactions, { id: ids }).map((row) => [row.id, row]))
  const references = findReferences(
    ctx,
    [...movements.values()].map(({ reference }) => reference),
  )
  const data = page.data.map((row) => {
    const { kind = '', reference: causeId = '' } = movements.get(row.transactionId) ?? {}
    return {
      ...toLedgerEntry(row),
      kind,
      causeId,
      reference: references.get(causeId) ?? null,
      balance: formatAmount(balances.get(row.id) ?? 0n, row.currency),
    }
  })
  return { ...page, data }
}

const DRIFTED = statement(
  sql`SELECT ${listed({ id: wallets.id, currency: wallets.currency })} FROM ${wallets}
  LEFT JOIN ${entries} ON ${entries.tenantId} = ${wallets.tenantId} AND ${entries.walletId} = ${wallets.id}
  WHERE ${wallets.tenantId} = ?1 GROUP BY ${wallets.id}
  HAVING ${sumDiffers(entries.amount, wallets.available, AVAILABLE)}
    OR ${sumDiffers(entries.amount, wallets.held, HELD)} LIMIT 20`,
)
const UNBALANCED = statement(
  sql`SELECT ${listed({ id: entries.transactionId, currency: entries.currency })} FROM ${entries}
  WHERE ${entries.tenantId} = ?1 GROUP BY ${entries.transactionId}, ${entries.currency}
  HAVING ${sumDiffers(entries.amount, sql`0`)} LIMIT 20`,
)

type LedgerFault = { kind: 'wallet_drifted' | 'transaction_unbalanced'; id: string; currency: string }

/**
 * Returns the faults that the daily check looks for: wallets that differ from their entries, and movements that do not
 * balance. src/README “Ledger”.
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
