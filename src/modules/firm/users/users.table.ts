import { integer, text } from 'drizzle-orm/sqlite-core'
import type { Role } from '../../../platform/access/catalogue.ts'
import { json, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

import { LANGUAGES } from '../../../words/language.ts'

export const USER_STATUS = ['invited', 'active', 'disabled'] as const

export const users = tenantTable(
  'users',
  'usr',
  {
    email: text().notNull(),
    displayName: text().notNull(),
    roles: json<Role[]>().notNull(),
    status: text({ enum: USER_STATUS }).notNull(),
    locale: text({ enum: LANGUAGES }),
    lastLoginAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  { entity: 'user', softDelete: true },
)
export type UserRow = Row<typeof users>

/** What colleagues were called before, and until when. The audit has each rename, so these rows are not audited. */
export const userNames = tenantTable(
  'user_names',
  'unm',
  { userId: text().notNull(), name: text().notNull(), until: time().notNull() },
  { entity: 'user_name', audited: false },
)
