import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { json, sealed, time } from '../../../platform/db/columns.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

export const CONNECTION_STATUS = ['active', 'error', 'disabled'] as const
export const BACKFILL_STATUS = ['running', 'waiting', 'done', 'failed'] as const
/** The states of an unfinished backfill; a `waiting` one waits for the platform, or for a test of its connection. */
export const OPEN_BACKFILL = ['running', 'waiting'] as const

/** A firm's access to an ad platform. RULES “Ads”. */
export const adConnections = tenantTable(
  'ad_connections',
  'adc',
  {
    platform: text({ enum: ['social'] }).notNull(),
    name: text().notNull(),
    credentials: sealed().notNull(),
    verifyHash: text(),
    secretHash: text(),
    adAccountId: text(),
    pageIds: json<string[]>().notNull().default([]),
    pixelId: text(),
    datasetId: text(),
    status: text({ enum: CONNECTION_STATUS }).notNull().default('active'),
    lastError: text(),
    testedAt: time(),
    lastLeadAt: time(),
    /** No call is made before this time; `throttles` counts how often in a row the platform throttled. */
    waitUntil: time().notNull().default(0),
    throttles: integer().notNull().default(0),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  { entity: 'ad_connection', secret: ['credentials', 'verifyHash', 'secretHash'], softDelete: true },
)
export type AdConnectionRow = Row<typeof adConnections>

/** The connections of each page, in all firms; triggers maintain them. */
export const adPages = sqliteTable('ad_pages', {
  pageId: text().notNull(),
  tenantId: text().notNull(),
  connectionId: text().notNull(),
  /** When a notification of the page was last verified with this connection's present secret, to the hour. */
  believedAt: integer(),
})

/** A notification of a lead, which is fetched after the answer. It is not audited, and is removed after a while. */
export const adNotifications = tenantTable(
  'ad_notifications',
  'adn',
  {
    connectionId: text().notNull(),
    pageId: text().notNull(),
    formId: text(),
    leadGenId: text().notNull(),
    status: text({ enum: ['pending', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    leadId: text(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time().notNull(),
    lastError: text(),
    createdAt: time().notNull().default(0),
    finishedAt: time(),
  },
  {
    entity: 'ad_notification',
    audited: false,
    person: {
      of: { sql: 'lead_id IN (SELECT id FROM leads WHERE tenant_id = ?1 AND trader_id = ?2)' },
      row: 'goes',
    },
  },
)
export type AdNotificationRow = Row<typeof adNotifications>

/** A backfill: the fetching of a form's older leads, page by page; `cursor` is the next page. */
export const adBackfills = tenantTable(
  'ad_backfills',
  'adb',
  {
    connectionId: text().notNull(),
    formId: text().notNull(),
    since: time().notNull(),
    status: text({ enum: BACKFILL_STATUS }).notNull().default('running'),
    fetched: integer().notNull().default(0),
    created: integer().notNull().default(0),
    duplicates: integer().notNull().default(0),
    failed: integer().notNull().default(0),
    lastError: text(),
    cursor: text(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time().notNull(),
    askedBy: text(),
    finishedAt: time(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'ad_backfill' },
)
export type AdBackfillRow = Row<typeof adBackfills>
