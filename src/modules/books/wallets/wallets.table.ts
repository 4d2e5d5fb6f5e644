import { integer, text } from 'drizzle-orm/sqlite-core'
import { kept } from '../../../platform/db/erasure.ts'
import { money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

/** A cache of the ledger: checked against its replay every day, so it is not audited by itself. */
export const wallets = tenantTable(
  'wallets',
  'wal',
  {
    traderId: text().notNull(),
    currency: text().notNull(),
    available: money().notNull().default(0n),
    held: money().notNull().default(0n),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'wallet',
    owner: 'traderId',
    audited: false,
    person: { of: 'traderId', columns: kept('a brokerage shows its books', 'currency') },
  },
)
export type WalletRow = Row<typeof wallets>

/** The firm's own accounts are clearing accounts of one kind of movement each; the client accounts are one wallet's. */
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

/** One movement. `(kind, reference)` is unique: a cause is posted once, ever. */
export const ledgerTransactions = tenantTable(
  'ledger_transactions',
  'ltx',
  {
    kind: text().notNull(),
    reference: text().notNull(),
    description: text().notNull().default(''),
    createdAt: time().notNull().default(0),
  },
  { entity: 'ledger_transaction', audited: false },
)

/** One side of a movement; positive adds to the account, all sides of a transaction sum to zero per currency. */
export const ledgerEntries = tenantTable(
  'ledger_entries',
  'lte',
  {
    transactionId: text().notNull(),
    traderId: text(),
    walletId: text(),
    account: text({ enum: LEDGER_ACCOUNTS }).notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'ledger_entry',
    isMoney: true,
    owner: 'traderId',
    audited: false,
    person: {
      of: 'traderId',
      columns: kept('a brokerage shows its books', 'transactionId', 'walletId', 'currency'),
    },
  },
)
export type LedgerEntryRow = Row<typeof ledgerEntries>
