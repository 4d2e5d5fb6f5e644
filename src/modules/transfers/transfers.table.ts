import { text } from 'drizzle-orm/sqlite-core'
import { flag, json, money, type Row, tenantTable, time } from '../../platform/db/tenant-table.ts'

export const TRANSFER_KINDS = ['wallet_to_wallet', 'wallet_to_account', 'account_to_wallet'] as const

/** Never changed: a transfer back is another transfer. The rate is the one that was used, frozen. */
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
    /** Made by the trader: then the note is theirs. */
    byTrader: flag().notNull().default(false),
    createdAt: time().notNull().default(0),
  },
  { entity: 'transfer', owner: 'traderId' },
)
export type TransferRow = Row<typeof transfers>
