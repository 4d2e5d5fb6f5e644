import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, markedWords, personalAs } from '../../../platform/db/erasure.ts'
import { flag, json, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'
import { LIST_SOURCES } from './list-sources.ts'
import type { Explanation } from './matcher.ts'

export const LIST_STATUS = ['screening', 'screened', 'replaced', 'failed'] as const
export const HIT_STATUS = ['open', 'cleared', 'confirmed'] as const

/** A list that was loaded; its entries lie in `sanctions_entries` while it is current, or may be again. */
export const sanctionsLists = tenantTable(
  'sanctions_lists',
  'sal',
  {
    source: text({ enum: LIST_SOURCES }).notNull(),
    listVersion: text().notNull(),
    hash: text().notNull(),
    entries: integer().notNull(),
    current: flag().notNull().default(true),
    screenedAt: time(),
    status: text({ enum: LIST_STATUS }).notNull().default('screening'),
    /** The screened list that is current again when this one's screening fails. */
    replaces: text(),
    /** Screenings that were begun, and when the first of them was. */
    attempts: integer().notNull().default(0),
    beganAt: time(),
    failure: text(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'sanctions_list' },
)
export type ListRow = Row<typeof sanctionsLists>

/** Somebody who may be somebody on a list. No owner: a trader must not learn of it. */
export const sanctionsHits = tenantTable(
  'sanctions_hits',
  'hit',
  {
    traderId: text().notNull(),
    source: text({ enum: LIST_SOURCES }).notNull(),
    reference: text().notNull(),
    name: text().notNull(),
    score: integer().notNull(),
    explanation: json<Explanation>().notNull(),
    listHash: text().notNull(),
    status: text({ enum: HIT_STATUS }).notNull().default('open'),
    reason: text(),
    decidedBy: text(),
    decidedAt: time(),
    /** The first of two people who clear a confirmed match. */
    firstWordBy: text(),
    firstWordAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'sanctions_hit',
    person: {
      of: 'traderId',
      columns: {
        ...kept('who the list names, and which file of it', 'reference', 'name', 'listHash'),
        ...colleagues('decidedBy', 'firstWordBy'),
        // how the client's own name was compared goes, the scores stay
        explanation: personalAs(`json_set(explanation, '$.words', json('[]'))`),
        reason: markedWords,
      },
    },
  },
)
export type HitRow = Row<typeof sanctionsHits>

/** Who stands on a list; written and removed with it, by the thousand. */
export const sanctionsEntries = sqliteTable('sanctions_entries', {
  tenantId: text().notNull(),
  listId: text().notNull(),
  reference: text().notNull(),
  kind: text().notNull(),
  names: text().notNull(),
  births: text().notNull(),
  countries: text().notNull(),
  programme: text(),
})

/** Traders who are new or were changed since they were screened; noted by triggers. */
export const sanctionsDue = sqliteTable('sanctions_due', {
  tenantId: text().notNull(),
  traderId: text().notNull(),
  mark: integer().notNull(),
})
