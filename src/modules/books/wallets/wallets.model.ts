import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { anyId, equals, equalsAny, flagFilter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Amount, Currency, Id, Nullable, OneOf } from '../../../platform/wire/fields.ts'
import { nameSchema, worded } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../../clients/traders/traders.rows.ts'
import { LEDGER_ACCOUNTS, ledgerEntries, wallets } from './wallets.table.ts'

export const WalletOut = nameSchema('Wallet', Type.Object(wireFields(wallets)))
export const WalletRowOut = buildRowSchema(WalletOut)
export const toWallet = wireMapper(wallets)

export const walletList = defineList({
  name: 'wallets',
  table: wallets,
  money: { amount: 'available', currency: 'currency', with: 'held' },
  filters: {
    traderId: equals(wallets.traderId, Id),
    traderIds: anyId(wallets.traderId, 50, 'clients'),
    currency: equalsAny(wallets.currency, Currencies),
    holds: flagFilter(sql`${wallets.available} + ${wallets.held} > 0`, 'only wallets with money'),
    q: rowSearch(wallets, { description: 'the id' }),
  },
})

const ledgerEntry = wireFields(ledgerEntries)
export const toLedgerEntry = wireMapper(ledgerEntries)

/** A line of a wallet's statement: an entry with its movement. */
export const LedgerEntryOut = nameSchema(
  'LedgerEntry',
  Type.Object({
    ...ledgerEntry,
    kind: Type.String({ description: 'of the movement, such as deposit or withdrawal_pay' }),
    causeId: Type.String({ description: 'id of what caused the movement' }),
    reference: Nullable(
      Type.String({
        description:
          'what people call it by, such as the reference of the bank; null for a key without the scope that reads the cause',
      }),
    ),
    balance: worded(Amount, 'of the account (available or held) after the entry'),
  }),
)

/** A row of the books with its movement. */
export const PostedEntryOut = nameSchema(
  'PostedEntry',
  Type.Object({
    ...ledgerEntry,
    traderId: Nullable(Id),
    kind: Type.String({ description: 'of the movement, such as deposit or withdrawal_pay' }),
    reference: Type.String({ description: 'id of what caused the movement' }),
  }),
)

/** The books in posting order, so that a reader can follow them. RULES “Feeds”. */
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

/** A sum over the books may exceed the largest amount of a single posting. */
const Total = Type.String({ pattern: '^-?\\d{1,40}(\\.\\d{1,8})?$', maxLength: 50, description: 'decimal amount' })

export const TrialBalanceOut = nameSchema(
  'TrialBalance',
  Type.Object({
    balanced: Type.Boolean({ description: 'every currency sums to zero' }),
    accounts: Type.Array(
      Type.Object({ account: OneOf(LEDGER_ACCOUNTS), currency: Currency, balance: Total, entries: Type.Integer() }),
    ),
    totals: Type.Array(Type.Object({ currency: Currency, balance: Total })),
  }),
)
