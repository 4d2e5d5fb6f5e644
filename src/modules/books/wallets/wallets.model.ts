import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { formatAmount } from '../../../platform/money.ts'
import { Amount, Currency, Id, Nullable, OneOf, Time, Version } from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { rowOf, rowSearch } from '../../clients/traders/traders.rows.ts'
import { LEDGER_ACCOUNTS, type LedgerEntryRow, ledgerEntries, type WalletRow, wallets } from './wallets.table.ts'

export const WalletOut = named(
  'Wallet',
  Type.Object({
    id: Id,
    traderId: Id,
    currency: Currency,
    available: Amount,
    held: Amount,
    version: Version,
    createdAt: Time,
    updatedAt: Time,
  }),
)
export const WalletRowOut = rowOf(WalletOut)

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
    traderId: equals(wallets.traderId, Id),
    currency: equalsAny(wallets.currency, Currencies),
    q: rowSearch(wallets, { told: 'the id' }),
  },
})

export const LedgerEntryOut = named(
  'LedgerEntry',
  Type.Object({
    id: Id,
    transactionId: Id,
    walletId: Nullable(Id),
    account: OneOf(LEDGER_ACCOUNTS),
    currency: Currency,
    amount: Amount,
    createdAt: Time,
  }),
)

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

/** A row of the books with the movement that it is a side of. */
export const PostedEntryOut = named(
  'PostedEntry',
  Type.Object({
    ...LedgerEntryOut.properties,
    traderId: Nullable(Id),
    kind: Type.String({ description: 'of the movement, such as deposit or withdrawal_paid' }),
    reference: Type.String({ description: 'id of what caused the movement' }),
  }),
)

/** The books in the order in which they were posted, so that a consumer can follow. RULES “Feeds”. */
export const ledgerFeed = defineList({
  name: 'ledger_entries',
  table: ledgerEntries,
  filters: {
    account: equals(ledgerEntries.account),
    currency: equalsAny(ledgerEntries.currency, Currencies),
    walletId: equals(ledgerEntries.walletId, Id),
    traderId: equals(ledgerEntries.traderId, Id),
  },
  defaultSort: 'createdAt',
})

export const walletEntryList = defineList({ name: 'wallet_entries', table: ledgerEntries, filters: {} })

/** A sum over the books: it may pass what one amount may be. */
const Total = Type.String({ pattern: '^-?\\d{1,40}(\\.\\d{1,8})?$', maxLength: 50, description: 'decimal amount' })

export const TrialBalanceOut = named(
  'TrialBalance',
  Type.Object({
    balanced: Type.Boolean({ description: 'every currency sums to zero' }),
    accounts: Type.Array(
      Type.Object({ account: OneOf(LEDGER_ACCOUNTS), currency: Currency, balance: Total, entries: Type.Integer() }),
    ),
    totals: Type.Array(Type.Object({ currency: Currency, balance: Total })),
  }),
)
