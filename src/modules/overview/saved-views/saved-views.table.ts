import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, json, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** How a view shows a list's columns; widths are in pixels. */
type Look = { hidden: string[]; order: string[]; widths: Record<string, number>; dense: boolean }

/** A named view of a list of the console, without the text of a search. */
export const savedViews = tenantTable(
  'saved_views',
  'svw',
  {
    userId: text().notNull(),
    list: text().notNull(),
    name: text().notNull(),
    filters: json<Record<string, string>>().notNull(),
    look: json<Look>().notNull(),
    shared: flag().notNull().default(false),
    isDefault: flag().notNull().default(false),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'saved_view' },
)
export type SavedViewRow = Row<typeof savedViews>
