import { integer, text } from 'drizzle-orm/sqlite-core'
import { ROLES, type Scope } from '../../../platform/access/catalogue.ts'
import { json, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Keys act for the user who made them. A revoked key is kept, since the audit names it. */
export const apiKeys = tenantTable(
  'api_keys',
  'key',
  {
    publicId: text().notNull(),
    userId: text().notNull(),
    label: text().notNull(),
    secretHash: text().notNull(),
    scopes: json<Scope[]>().notNull(),
    /** The key never acts with a higher role; null means its maker's role. */
    role: text({ enum: ROLES }),
    /** Scopes of decisions that the key had through other scopes, before decisions got their own. */
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
