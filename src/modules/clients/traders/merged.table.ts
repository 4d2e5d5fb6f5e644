import { text } from 'drizzle-orm/sqlite-core'
import { column, id, json, stamps, time } from '../../../platform/db/columns.ts'
import { fact, personal, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Rows of each kind that went from one client to the other. */
export type Moved = Record<string, number>

/** Two rows of one person that became one. It names ids only: the person is in the rows. */
export const traderMerges = tenantTable(
  'trader_merges',
  'mrg',
  {
    primaryId: text().notNull(),
    secondaryId: text().notNull(),
    /** Who of the staff did it (a key counts as its maker). */
    mergedBy: text().notNull(),
    moved: json<Moved>().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'trader_merge', audited: false },
)
export type MergeRow = Row<typeof traderMerges>

const ALIAS_KINDS = ['email', 'phone'] as const
/** What a client who was merged away was reached by. It belongs to who is left, and goes with them. */
export const traderAliases = tenantTable(
  'trader_aliases',
  'als',
  {
    traderId: column(id().notNull(), untold, 'hidden'),
    kind: column(text({ enum: ALIAS_KINDS }).notNull(), fact, 'hidden'),
    value: column(text().notNull(), personal, 'hidden'),
    createdAt: stamps.createdAt,
  },
  { entity: 'trader_alias', owner: 'traderId', person: { of: 'traderId', row: 'goes' } },
)
