import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Every event as it was stored once, in bytes: the platform's outbox writes it, feeds and webhooks read it. */
export const events = sqliteTable('events', {
  /** Over all firms, in the order of writing. */
  position: integer().primaryKey(),
  tenantId: text().notNull(),
  id: text().notNull(),
  /** In the firm, without gaps. */
  sequence: integer().notNull(),
  event: text().notNull(),
  body: text().notNull(),
  traderId: text(),
  createdAt: integer().notNull(),
})
