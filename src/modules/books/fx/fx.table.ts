import { sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { column, flag, stamps, time } from '../../../platform/db/columns.ts'
import { fact } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** A firm's own rates. A row changes only when it ends, since conversions refer to it. */
export const fxRates = tenantTable(
  'fx_rates',
  'fxr',
  {
    base: column(text().notNull(), fact, 'sql'),
    quote: column(text().notNull(), fact, 'sql'),
    rate: column(text().notNull(), fact, 'sql'),
    source: column(text().notNull(), fact, 'sql'),
    /** The rate is in use, or waits for a second person, until `endedAt`. */
    current: column(flag().notNull().default(true), fact, 'sql'),
    /** The rate was far from that of 24 hours before; it waits, or waited, for a second person and was never used. */
    unconfirmed: column(flag().notNull().default(false), fact, 'sql'),
    /** Who sent the rate that this one confirms. */
    proposedBy: column(text(), fact, 'hidden'),
    createdBy: column(text(), fact, 'sql'),
    createdAt: stamps.createdAt,
    endedAt: column(time(), fact, 'sql'),
    /** Who removed the rate; null if another one replaced it. */
    endedBy: column(text(), fact, 'hidden'),
  },
  { entity: 'fx_rate' },
)

/** Rates entered for past days that had none, for reports and commissions; conversions do not use them. */
export const fxPastRates = tenantTable(
  'fx_past_rates',
  'fxp',
  {
    base: text().notNull(),
    quote: text().notNull(),
    rate: text().notNull(),
    source: text().notNull(),
    /** The first day, in the firm's time zone, for which the rate counts, and the instant when that day began. */
    since: text().notNull(),
    sinceAt: time().notNull(),
    createdBy: text(),
    /** Who removed the rate, and when; amounts may use it until then. */
    removedBy: text(),
    removedAt: time(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'fx_past_rate' },
)
export type PastRateRow = Row<typeof fxPastRates>

/** The pool: rates that all firms of the box share. They belong to no firm. */
export const fxGlobalRates = sqliteTable('fx_global_rates', {
  id: text().primaryKey(),
  base: text().notNull(),
  quote: text().notNull(),
  rate: text().notNull(),
  source: text().notNull(),
  current: flag().notNull(),
  unconfirmed: flag().notNull(),
  proposedBy: text(),
  endedAt: time(),
  createdBy: text(),
  createdAt: time().notNull(),
})
