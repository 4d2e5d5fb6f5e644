import { integer, text } from 'drizzle-orm/sqlite-core'
import { money, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Cached sums of an affiliate: closed lines, requested payouts, and payments. */
export const affiliateBalances = tenantTable(
  'affiliate_balances',
  'afb',
  {
    affiliateId: text().notNull(),
    currency: text().notNull(),
    earned: money().notNull().default(0n),
    asked: money().notNull().default(0n),
    paid: money().notNull().default(0n),
    /** When the whole balance was last paid. */
    paidUpAt: time().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'affiliate_balance', audited: false, broker: 'affiliateId' },
)
export type BalanceRow = Row<typeof affiliateBalances>
