import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, id, money, stamps, time } from '../../../platform/db/columns.ts'
import { fact, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const BOOKS = stays('a brokerage shows its books')
/** A wallet caches sums of the ledger and is compared with it every day, so it is not audited. */
export const wallets = tenantTable(
  'wallets',
  'wal',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    currency: column(currency().notNull(), BOOKS, 'api csv sql'),
    available: column(money().notNull().default(0n), fact, 'api csv sql'),
    held: column(money().notNull().default(0n), fact, 'api csv sql'),
    ...stamps,
    updatedAt: column(time().notNull().default(0), untold, 'api csv sql'),
  },
  { entity: 'wallet', owner: 'traderId', audited: false, person: { of: 'traderId' } },
)
export type WalletRow = Row<typeof wallets>

/** An account of the firm clears one kind of movement; a client account belongs to one wallet. */
export const LEDGER_ACCOUNTS = [
  'gateway_clearing',
  'payout_clearing',
  'platform_clearing',
  'fx_clearing',
  'adjustments',
  'affiliate_commissions',
  'opening_balances',
  'client_available',
  'client_held',
] as const
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number]

/** One movement. `(kind, reference)` is unique, so a cause is posted only once. */
export const ledgerTransactions = tenantTable(
  'ledger_transactions',
  'ltx',
  {
    kind: column(text().notNull(), fact, 'sql'),
    reference: column(text().notNull(), fact, 'sql'),
    description: column(text().notNull().default(''), fact, 'sql'),
    createdAt: stamps.createdAt,
  },
  { entity: 'ledger_transaction', audited: false },
)

/** One side of a movement. A positive amount adds to the account; a movement sums to zero in each currency. */
export const ledgerEntries = tenantTable(
  'ledger_entries',
  'lte',
  {
    transactionId: column(id().notNull(), BOOKS, 'api sql'),
    traderId: column(id(), untold, 'sql'),
    walletId: column(id(), BOOKS, 'api sql'),
    account: column(text({ enum: LEDGER_ACCOUNTS }).notNull(), fact, 'api sql'),
    currency: column(currency().notNull(), BOOKS, 'api sql'),
    amount: column(money().notNull(), fact, 'api sql'),
    createdAt: stamps.createdAt,
  },
  { entity: 'ledger_entry', isMoney: true, owner: 'traderId', audited: false, person: { of: 'traderId' } },
)
