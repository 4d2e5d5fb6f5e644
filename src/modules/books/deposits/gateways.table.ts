import { integer, text } from 'drizzle-orm/sqlite-core'
import { sealed, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

/** Payment gateways of a firm; a deposit may name its gateway. */
export const pspConnections = tenantTable(
  'psp_connections',
  'psp',
  {
    name: text().notNull(),
    kind: text({ enum: ['generic'] }).notNull(),
    secret: sealed().notNull(),
    /** Who entered the secret. Where two people are needed, the gateway's result counts as this person's approval. */
    secretBy: text(),
    secretAt: time(),
    status: text({ enum: ['active', 'disabled'] })
      .notNull()
      .default('active'),
    lastCallbackAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  { entity: 'psp_connection', secret: ['secret'], softDelete: true },
)
export type PspConnectionRow = Row<typeof pspConnections>
