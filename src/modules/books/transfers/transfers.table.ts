import { Type } from '@sinclair/typebox'
import { text } from 'drizzle-orm/sqlite-core'
import {
  column,
  currency,
  described,
  flag,
  id,
  json,
  money,
  shownAs,
  stamps,
  time,
} from '../../../platform/db/columns.ts'
import { colleague, fact, freeText, internal, ours, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { Id, OneOf } from '../../../platform/wire/fields.ts'

const TRANSFER_KINDS = ['wallet_to_wallet', 'wallet_to_account', 'account_to_wallet'] as const

const TRANSFER_STATES = ['sent', 'booked', 'refused'] as const

const BOOKS = stays('a brokerage shows its books')
const RATE = stays('the rate that was used')
const INSTRUCTION = stays('the instruction, as the platform refers to it')
/** A `sent` transfer waits for the platform, which books or refuses it; between wallets it is booked at once. */
const state = () =>
  shownAs(
    text({ enum: TRANSFER_STATES }),
    OneOf(TRANSFER_STATES, { description: 'sent to the platform, which books or refuses it' }),
  )

/** Only the platform's acknowledgement changes a row; a transfer back is a new one. `rate` is the one that was used. */
export const transfers = tenantTable(
  'transfers',
  'trf',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    /** The receiving client, if that is another one. */
    toTraderId: column(id(), ours(stays('names another client, whom the books refer to')), 'sql'),
    kind: column(text({ enum: TRANSFER_KINDS }).notNull(), fact, 'api csv sql'),
    fromWalletId: column(id(), BOOKS, 'api csv sql'),
    toWalletId: column(id(), BOOKS, 'api csv sql'),
    accountId: column(id(), BOOKS, 'api csv sql'),
    fromCurrency: column(currency().notNull(), BOOKS, 'api csv sql'),
    fromAmount: column(money().notNull(), fact, 'api csv sql'),
    toCurrency: column(currency().notNull(), BOOKS, 'api csv sql'),
    toAmount: column(money().notNull(), fact, 'api csv sql'),
    rate: column(described('frozen at the transfer; null when no currency changed'), RATE, 'api csv sql'),
    rateSource: column(text(), RATE, 'api sql'),
    rateAsOf: column(time(), fact, 'api sql'),
    rateIds: column(shownAs(json<string[]>(), Type.Array(Id)).notNull().default([]), RATE, 'api'),
    reference: column(described('ours, for the platform instruction').notNull(), INSTRUCTION, 'api csv sql'),
    state: column(state().notNull().default('booked'), fact, 'api csv sql'),
    /** The colleague who requested it, directly or by a key. */
    createdBy: column(id(), colleague, 'sql'),
    /** Whether the client made it, who then also wrote the note. */
    byTrader: column(flag().notNull().default(false), fact, 'sql'),
    acknowledgedBy: column(id(), colleague, 'sql'),
    acknowledgedAt: column(time(), fact, 'api sql'),
    /** Whether the platform's own bridge acknowledged it. */
    byBridge: column(flag().notNull().default(false), internal, 'hidden'),
    /** When the bridge contradicted what a person had acknowledged. */
    contradictedAt: column(time(), internal, 'hidden'),
    platformReference: column(text(), INSTRUCTION, 'api csv sql'),
    refusalReason: column(text(), ours(freeText), 'api csv sql'),
    note: column(text(), freeText, 'api csv'),
    createdAt: stamps.createdAt,
    updatedAt: stamps.updatedAt,
  },
  {
    entity: 'transfer',
    isMoney: true,
    currencies: { fromAmount: 'fromCurrency', toAmount: 'toCurrency' },
    owner: 'traderId',
    fileOrder: 'traderId createdAt kind state fromCurrency fromAmount toCurrency toAmount rate',
    isOwnNote: ({ byTrader }) => byTrader === true,
    person: {
      // the copy also has what was given to the client
      of: {
        sql: `(trader_id = ?2 OR to_wallet_id IN (SELECT id FROM wallets WHERE tenant_id = ?1 AND trader_id = ?2))`,
      },
    },
  },
)
export type TransferRow = Row<typeof transfers>
