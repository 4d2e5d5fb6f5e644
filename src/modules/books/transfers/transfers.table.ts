import { text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, ours, words } from '../../../platform/db/erasure.ts'
import { flag, json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const TRANSFER_KINDS = ['wallet_to_wallet', 'wallet_to_account', 'account_to_wallet'] as const

export const TRANSFER_STATES = ['sent', 'booked', 'refused'] as const

/**
 * Never changed but by the platform's word: a transfer back is
 * another transfer. The rate is the one that was used, frozen.
 */
export const transfers = tenantTable(
  'transfers',
  'trf',
  {
    traderId: text().notNull(),
    kind: text({ enum: TRANSFER_KINDS }).notNull(),
    fromWalletId: text(),
    toWalletId: text(),
    accountId: text(),
    fromCurrency: text().notNull(),
    fromAmount: money().notNull(),
    toCurrency: text().notNull(),
    toAmount: money().notNull(),
    rate: text(),
    rateIds: json<string[]>().notNull().default([]),
    rateSource: text(),
    rateAsOf: time(),
    reference: text().notNull(),
    note: text(),
    /** `sent` to the platform, which books or refuses it; anything between wallets is booked at once. */
    state: text({ enum: TRANSFER_STATES }).notNull().default('booked'),
    /** Who of the staff asked for it (a key counts as its maker). */
    createdBy: text(),
    /** Whom it went to, where that is another trader. */
    toTraderId: text(),
    acknowledgedBy: text(),
    acknowledgedAt: time(),
    /** Whether the platform's own bridge acknowledged it. */
    byBridge: flag().notNull().default(false),
    /** When the bridge said the opposite of what a person had said for the platform. */
    contradictedAt: time(),
    platformReference: text(),
    refusalReason: text(),
    /** Made by the trader: then the note is theirs. */
    byTrader: flag().notNull().default(false),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'transfer',
    isMoney: true,
    currencies: { fromAmount: 'fromCurrency', toAmount: 'toCurrency' },
    owner: 'traderId',
    person: {
      // what was given to them, too
      of: {
        sql: `(trader_id = ?2 OR to_wallet_id IN (SELECT id FROM wallets WHERE tenant_id = ?1 AND trader_id = ?2))`,
      },
      columns: {
        ...kept('a brokerage shows its books', 'fromWalletId', 'toWalletId', 'accountId', 'fromCurrency', 'toCurrency'),
        toTraderId: ours({ goes: null, why: 'names another client, whom the books refer to' }),
        ...kept('the rate that was used', 'rate', 'rateIds', 'rateSource'),
        ...kept('the instruction, as the platform refers to it', 'reference', 'platformReference'),
        ...colleagues('createdBy', 'acknowledgedBy'),
        note: words,
        refusalReason: ours(words),
      },
    },
  },
)
export type TransferRow = Row<typeof transfers>
