import { text } from 'drizzle-orm/sqlite-core'
import { flag, type Row, tenantTable, time } from '../../platform/db/tenant-table.ts'

/** A firm's own rates. Rows are never changed but for `current`: a conversion names the row it used. */
export const fxRates = tenantTable(
  'fx_rates',
  'fxr',
  {
    base: text().notNull(),
    quote: text().notNull(),
    rate: text().notNull(),
    source: text().notNull(),
    current: flag().notNull().default(true),
    createdBy: text(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'fx_rate' },
)
export type FxRateRow = Row<typeof fxRates>
