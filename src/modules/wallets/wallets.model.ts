import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../platform/clock.ts'
import { Amount, Currency, Id, Nullable, OneOf, Time, Version } from '../../platform/http/fields.ts'
import { defineList, filter } from '../../platform/http/page.ts'
import { formatAmount } from '../../platform/money.ts'
import { LEDGER_ACCOUNTS, type LedgerEntryRow, ledgerEntries, type WalletRow, wallets } from './wallets.table.ts'

export const WalletOut = Type.Object({
  id: Id,
  traderId: Id,
  currency: Currency,
  available: Amount,
  held: Amount,
  version: Version,
  createdAt: Time,
  updatedAt: Time,
})

/** The wire form of a wallet. */
export const toWallet = (row: WalletRow): Static<typeof WalletOut> => ({
  id: row.id,
  traderId: row.traderId,
  currency: row.currency,
  available: formatAmount(row.available, row.currency),
  held: formatAmount(row.held, row.currency),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const walletList = defineList({
  name: 'wallets',
  table: wallets,
  filters: {
    traderId: filter(Id, 'wallets.trader_id = ?'),
    currency: filter(Currency, 'wallets.currency = ?'),
  },
})

export const LedgerEntryOut = Type.Object({
  id: Id,
  transactionId: Id,
  walletId: Nullable(Id),
  account: OneOf(LEDGER_ACCOUNTS),
  currency: Currency,
  amount: Amount,
  createdAt: Time,
})

/** The wire form of one side of a movement. */
export const toLedgerEntry = (row: LedgerEntryRow): Static<typeof LedgerEntryOut> => ({
  id: row.id,
  transactionId: row.transactionId,
  walletId: row.walletId,
  account: row.account,
  currency: row.currency,
  amount: formatAmount(row.amount, row.currency),
  createdAt: toIso(row.createdAt),
})

export const walletEntryList = defineList({ name: 'wallet_entries', table: ledgerEntries, filters: {} })

export const TrialBalanceOut = Type.Object({
  balanced: Type.Boolean({ description: 'every currency sums to zero' }),
  accounts: Type.Array(
    Type.Object({ account: OneOf(LEDGER_ACCOUNTS), currency: Currency, balance: Amount, entries: Type.Integer() }),
  ),
  totals: Type.Array(Type.Object({ currency: Currency, balance: Amount })),
})
