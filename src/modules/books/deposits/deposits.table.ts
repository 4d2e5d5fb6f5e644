import { text } from 'drizzle-orm/sqlite-core'
import { column, currency, flag, freeForm, id, money, stamps, time } from '../../../platform/db/columns.ts'
import {
  colleague,
  fact,
  freeText,
  internal,
  markedFreeText,
  ours,
  stays,
  untold,
} from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const DEPOSIT_METHODS = ['bank', 'card', 'wallet', 'crypto'] as const
const DEPOSIT_STATUS = ['pending', 'settled', 'partially_settled', 'failed', 'cancelled'] as const

/** What the gateway sent, and notes of staff about it. */
export type ProviderPayload = {
  partialSettlement?: { settledAmount: string; notes: string; by: string; at: string }
  callbacks?: { status: string; at: string; reference?: string; reason?: string }[]
}

const PAYMENT = stays('the payment, as bank and books refer to it')
export const deposits = tenantTable(
  'deposits',
  'dep',
  {
    traderId: column(id().notNull(), untold, 'api csv sql'),
    pspConnectionId: column(id(), PAYMENT, 'api csv sql'),
    providerReference: column(text(), PAYMENT, 'api csv sql'),
    method: column(text({ enum: DEPOSIT_METHODS }).notNull(), fact, 'api csv sql'),
    currency: column(currency().notNull(), PAYMENT, 'api csv sql'),
    amount: column(money().notNull(), fact, 'api csv sql'),
    settledAmount: column(money(), fact, 'api csv sql'),
    status: column(text({ enum: DEPOSIT_STATUS }).notNull().default('pending'), fact, 'api csv sql'),
    failureReason: column(text(), markedFreeText, 'api csv sql'),
    note: column(text(), freeText, 'api csv'),
    providerPayload: column(freeForm<ProviderPayload>().notNull().default({}), ours(freeText), 'api'),
    settledAt: column(time(), fact, 'api csv sql'),
    /** The colleague who announced it, directly or by a key; null if the client or a gateway did. */
    announcedBy: column(id(), colleague, 'api csv sql'),
    byTrader: column(flag().notNull().default(false), fact, 'sql'),
    settledBy: column(id(), colleague, 'api csv sql'),
    /** The first of two people who settle a client's announcement, and the amount that they settled. */
    firstWordBy: column(id(), colleague, 'hidden'),
    firstWordAt: column(time(), internal, 'hidden'),
    firstWordAmount: column(money(), internal, 'hidden'),
    /** The deposit credited earlier with the same reference, if the repetition is intended. */
    repeatOf: column(id(), ours(stays('the payment that had the same reference')), 'api'),
    /** The reference for comparison: trimmed, in one case. */
    referenceKey: column(text(), ours(stays('the reference as it is compared')), 'hidden'),
    ...stamps,
  },
  {
    entity: 'deposit',
    isMoney: true,
    owner: 'traderId',
    fileOrder: 'traderId createdAt status method currency amount settledAmount settledAt',
    isOwnNote: ({ byTrader }) => byTrader === true,
    person: { of: 'traderId' },
  },
)
export type DepositRow = Row<typeof deposits>
