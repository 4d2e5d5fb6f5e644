import { integer, text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import { column, id, json, stamps, time } from '../../../platform/db/columns.ts'
import { fact } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const USER_STATUS = ['invited', 'active', 'disabled'] as const

export const users = tenantTable(
  'users',
  'usr',
  {
    email: column(text().notNull(), fact, 'sql'),
    displayName: column(text().notNull(), fact, 'sql'),
    roles: column(json<Role[]>().notNull(), fact, 'sql'),
    status: column(text({ enum: USER_STATUS }).notNull(), fact, 'sql'),
    locale: column(text(), fact, 'hidden'),
    lastLoginAt: column(time(), fact, 'sql'),
    version: stamps.version,
    createdAt: stamps.createdAt,
    updatedAt: column(time().notNull().default(0), fact, 'hidden'),
    deletedAt: column(time(), fact, 'sql'),
  },
  { entity: 'user', softDelete: true },
)
export type UserRow = Row<typeof users>

/** Former names of colleagues, each with its last moment. The audit has every rename, so these rows are not audited. */
export const userNames = tenantTable(
  'user_names',
  'unm',
  {
    id: column(id().notNull(), fact, 'hidden'),
    userId: column(id().notNull(), fact, 'sql'),
    name: column(text().notNull(), fact, 'sql'),
    /** The last moment of the name; the SQL page shows it in milliseconds. */
    until: column(integer().notNull(), fact, 'sql'),
  },
  { entity: 'user_name', audited: false },
)
