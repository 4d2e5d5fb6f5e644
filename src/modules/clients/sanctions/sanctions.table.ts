import { Type } from '@sinclair/typebox'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { column, described, flag, id, json, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { colleague, fact, internal, markedFreeText, personalAs, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { OneOf } from '../../../platform/wire/fields.ts'
import { LIST_SOURCES } from './list-sources.ts'
import type { Explanation } from './matcher.ts'

export const LIST_STATUS = ['screening', 'screened', 'replaced', 'failed'] as const
const HIT_STATUS = ['open', 'cleared', 'confirmed'] as const

/** A loaded list. Its entries are in `sanctions_entries` while it is current or may become so again. */
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
    /** The screened list that becomes current again if this one's screening fails. */
    replaces: text(),
    /** How many screenings were begun; `beganAt` is the time of the first. */
    attempts: integer().notNull().default(0),
    beganAt: time(),
    failure: text(),
    createdAt: time().notNull().default(0),
  },
  { entity: 'sanctions_list' },
)
export type ListRow = Row<typeof sanctionsLists>

const ExplanationOut = Type.Object({
  listedAs: Type.String(),
  nameScore: Type.Integer(),
  words: Type.Array(Type.Object({ ours: Type.String(), theirs: Type.String(), similarity: Type.Integer() })),
  birth: OneOf(['same', 'same_year', 'differs', 'unknown']),
  country: OneOf(['same', 'differs', 'unknown']),
})
const LISTED = stays('who the list names, and which file of it')
/** A possible match of a client. The rows have no owner, since a client must not learn of them. */
export const sanctionsHits = tenantTable(
  'sanctions_hits',
  'hit',
  {
    traderId: column(id().notNull(), untold, 'api csv'),
    source: column(text({ enum: LIST_SOURCES }).notNull(), fact, 'api csv'),
    reference: column(text().notNull(), LISTED, 'api csv'),
    name: column(described('as the list has it').notNull(), LISTED, 'api csv'),
    score: column(shownAs(integer(), Type.Integer({ minimum: 0, maximum: 100 })).notNull(), fact, 'api csv'),
    // erasing removes the comparison of the client's name and keeps the scores
    explanation: column(
      shownAs(json<Explanation>(), ExplanationOut).notNull(),
      personalAs(`json_set(explanation, '$.words', json('[]'))`),
      'api',
    ),
    listHash: column(text().notNull(), LISTED, 'api csv'),
    status: column(text({ enum: HIT_STATUS }).notNull().default('open'), fact, 'api csv'),
    reason: column(text(), markedFreeText, 'api csv'),
    decidedBy: column(id(), colleague, 'api csv'),
    decidedAt: column(time(), fact, 'api csv'),
    /** The first of two people who clear a confirmed match. */
    firstWordBy: column(id(), colleague, 'hidden'),
    firstWordAt: column(time(), internal, 'hidden'),
    ...stamps,
  },
  {
    entity: 'sanctions_hit',
    fileOrder: 'traderId createdAt source reference name score status reason decidedBy decidedAt',
    person: { of: 'traderId' },
  },
)
export type HitRow = Row<typeof sanctionsHits>

/** The entries of a list, thousands of which are written and removed together. */
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

/** Clients who were created or changed since their last screening; triggers add them. */
export const sanctionsDue = sqliteTable('sanctions_due', {
  tenantId: text().notNull(),
  traderId: text().notNull(),
  mark: integer().notNull(),
})
