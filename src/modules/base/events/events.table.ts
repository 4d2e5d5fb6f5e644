import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Every event, stored once as bytes. The platform's outbox writes the row; the feed and webhooks read it. */
export const events = sqliteTable('events', {
  /** Counts over all firms, in the order of writing. */
  position: integer().primaryKey(),
  tenantId: text().notNull(),
  id: text().notNull(),
  /** Counts within the firm, without gaps. */
  sequence: integer().notNull(),
  event: text().notNull(),
  body: text().notNull(),
  traderId: text(),
  createdAt: integer().notNull(),
})
