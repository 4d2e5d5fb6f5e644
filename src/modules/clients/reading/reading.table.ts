import { integer, text } from 'drizzle-orm/sqlite-core'
import { time } from '../../../platform/db/columns.ts'
import { tenantTable } from '../../../platform/db/tenant-table.ts'

/** How many clients a colleague read on a day (UTC). The row is removed after that day, once the audit has its line. */
export const peopleReads = tenantTable(
  'people_reads',
  'prd',
  {
    day: integer().notNull(),
    userId: text().notNull(),
    apiKeyId: text(),
    clients: integer().notNull(),
    /** When the owners were mailed. */
    mailedAt: time(),
  },
  { entity: 'people_reads', audited: false },
)
