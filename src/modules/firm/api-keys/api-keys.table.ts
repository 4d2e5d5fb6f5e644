import { integer, text } from 'drizzle-orm/sqlite-core'
import { ROLES, type Scope } from '../../../platform/access/catalogue.ts'
import { json, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Keys act for the user who made them. A revoked key stays: the audit names it. */
export const apiKeys = tenantTable(
  'api_keys',
  'key',
  {
    publicId: text().notNull(),
    userId: text().notNull(),
    label: text().notNull(),
    secretHash: text().notNull(),
    scopes: json<Scope[]>().notNull(),
    /** The most that the key acts as; its maker's role where it names none. */
    role: text({ enum: ROLES }),
    /** Decisions that it might make until they got scopes of their own. */
    lostScopes: json<Scope[]>().notNull().default([]),
    allowedNetworks: json<string[]>().notNull().default([]),
    expiresAt: time(),
    lastUsedAt: time(),
    revokedAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'api_key', secret: ['secretHash'] },
)
export type ApiKeyRow = Row<typeof apiKeys>
