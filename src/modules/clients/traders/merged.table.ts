import { text } from 'drizzle-orm/sqlite-core'
import { column, id, json, stamps, time } from '../../../platform/db/columns.ts'
import { fact, personal, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** The number of rows of each kind that moved from one client to the other. */
export type Moved = Record<string, number>

/** A merge of two clients who are the same person. It has only ids; names are in the clients' rows. */
export const traderMerges = tenantTable(
  'trader_merges',
  'mrg',
  {
    primaryId: text().notNull(),
    secondaryId: text().notNull(),
    /** The colleague who merged the clients, directly or by a key. */
    mergedBy: text().notNull(),
    moved: json<Moved>().notNull(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'trader_merge', audited: false },
)
export type MergeRow = Row<typeof traderMerges>

const ALIAS_KINDS = ['email', 'phone'] as const
/** An address or phone of a merged client. It belongs to the remaining client and is erased with that client. */
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
