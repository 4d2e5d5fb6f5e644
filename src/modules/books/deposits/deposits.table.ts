import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, markedWords, ours, words } from '../../../platform/db/erasure.ts'
import { flag, json, money, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const DEPOSIT_METHODS = ['bank', 'card', 'wallet', 'crypto'] as const
export const DEPOSIT_STATUS = ['pending', 'settled', 'partially_settled', 'failed', 'cancelled'] as const

/** What the gateway said, and what staff noted about it. */
export type ProviderPayload = {
  partialSettlement?: { settledAmount: string; notes: string; by: string; at: string }
  callbacks?: { status: string; at: string; reference?: string; reason?: string }[]
}

export const deposits = tenantTable(
  'deposits',
  'dep',
  {
    traderId: text().notNull(),
    pspConnectionId: text(),
    providerReference: text(),
    method: text({ enum: DEPOSIT_METHODS }).notNull(),
    currency: text().notNull(),
    amount: money().notNull(),
    settledAmount: money(),
    status: text({ enum: DEPOSIT_STATUS }).notNull().default('pending'),
    failureReason: text(),
    note: text(),
    /** The reference as it is compared: trimmed, in one case. */
    referenceKey: text(),
    /** The deposit that was credited with the same reference before, where that is meant. */
    repeatOf: text(),
    /** Who of the staff announced it (a key counts as its maker); null when the client or a gateway did. */
    announcedBy: text(),
    byTrader: flag().notNull().default(false),
    settledBy: text(),
    /** The first of two people who settle what a client announced, and for how much. */
    firstWordBy: text(),
    firstWordAt: time(),
    firstWordAmount: money(),
    providerPayload: json<ProviderPayload>().notNull().default({}),
    settledAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'deposit',
    isMoney: true,
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: {
        ...kept('the payment, as bank and books refer to it', 'pspConnectionId', 'providerReference', 'currency'),
        referenceKey: ours({ goes: null, why: 'the reference as it is compared' }),
        repeatOf: ours({ goes: null, why: 'the payment that had the same reference' }),
        ...colleagues('announcedBy', 'settledBy', 'firstWordBy'),
        failureReason: markedWords,
        note: words,
        providerPayload: ours(words),
      },
    },
  },
)
export type DepositRow = Row<typeof deposits>
