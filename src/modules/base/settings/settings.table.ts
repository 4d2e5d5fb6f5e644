import { integer } from 'drizzle-orm/sqlite-core'
import { json, time } from '../../../platform/db/columns.ts'
import { tenantTable } from '../../../platform/db/tenant-table.ts'

/** Each key has one value; the id is the key. */
export const tenantSettings = tenantTable(
  'tenant_settings',
  'set',
  {
    value: json<unknown>().notNull(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'setting' },
)
