import { integer, text } from 'drizzle-orm/sqlite-core'
import { json, money, type Row, tenantTable, time } from '../../platform/db/tenant-table.ts'

export const DEPOSIT_METHODS = ['bank', 'card', 'wallet', 'crypto'] as const
export const DEPOSIT_STATUS = ['pending', 'settled', 'partially_settled', 'failed', 'cancelled'] as const

/** What the gateway said, and what staff noted about it. */
export type ProviderPayload = {
  partialSettlement?: { settledAmount: string; notes: string; by: string; at: string }
  callbacks?: { status: string; at: string; reason?: string }[]
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
    providerPayload: json<ProviderPayload>().notNull().default({}),
    settledAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'deposit', owner: 'traderId' },
)
export type DepositRow = Row<typeof deposits>
