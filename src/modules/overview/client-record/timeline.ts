import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { ACTOR_KINDS } from '../../../platform/audit/audit.ts'
import { toIso } from '../../../platform/clock.ts'
import { hideIdentity } from '../../../platform/db/hidden-fields.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { Page } from '../../../platform/http/lists/page.ts'
import { invalid } from '../../../platform/problem.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { Id, Nullable, OneOf, QueryInt, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { say } from '../../../words/say.ts'
import { countFitting, parseClear, readClearTexts } from '../../clients/audit/audit.details.ts'
import { auditEntries as audit } from '../../clients/audit/audit.table.ts'
import { listPersonRows } from '../../clients/traders/person-rows.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import { getGroup, readableBy, TIMELINE_GROUPS } from './timeline.kinds.ts'
import { findRecords, namesIn, TimelineRecord } from './timeline.records.ts'

export const TimelineQuery = Strict({
  limit: Type.Optional(QueryInt(1, 200)),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  group: Type.Optional(OneOf(TIMELINE_GROUPS)),
  entityId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'only what happened to this row' })),
})
export const TimelineItem = nameSchema(
  'TimelineItem',
  Type.Object({
    id: Id,
    at: Time,
    action: Type.String(),
    entity: Type.String(),
    entityId: Nullable(Id),
    group: OneOf(TIMELINE_GROUPS),
    record: Nullable(TimelineRecord),
    actorKind: OneOf(ACTOR_KINDS),
    actorId: Nullable(Id),
    actorName: Nullable(Type.String()),
    before: Nullable(Type.Object({}, { additionalProperties: true })),
    after: Nullable(Type.Object({}, { additionalProperties: true })),
    names: Type.Record(Type.String(), Type.String(), {
      description: 'what is called how among the ids in `before` and `after`, as far as the caller may read it',
    }),
  }),
)
export const TimelinePage = Page(TimelineItem)

type Entry = {
  seq: number
  id: string
  at: number
  action: string
  entity: string
  entityId: string | null
  actorKind: (typeof ACTOR_KINDS)[number]
  actorId: string | null
}

// Every audit entry names its client, so the audit is the complete timeline. The index is named, since SQLite without
// statistics would read the firm's whole audit.
const SELECT = statement(
  sql`SELECT ${listed({
    seq: audit.seq,
    id: audit.id,
    at: audit.at,
    action: audit.action,
    entity: audit.entity,
    entityId: audit.entityId,
    actorKind: audit.actorKind,
    actorId: audit.actorId,
  })}
  FROM ${audit} INDEXED BY audit_trader
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2 AND ${audit.seq} < ?3
    AND ${audit.entity} IN (SELECT value FROM json_each(?5))
    AND (?6 IS NULL OR ${audit.entityId} = ?6) ORDER BY ${audit.seq} DESC LIMIT ?4`,
)

const COUNT = statement(
  sql`SELECT count(*) AS n FROM ${audit} INDEXED BY audit_trader
  WHERE ${audit.tenantId} = ?1 AND ${audit.traderId} = ?2 AND ${audit.entity} IN (SELECT value FROM json_each(?3))`,
)
/** Returns how many entries a timeline has for its caller. */
export const countTimeline = (ctx: Ctx, traderId: string): number =>
  listPersonRows(ctx.db, traderId).reduce(
    (sum, id) => sum + (ctx.db.query<{ n: number }>(COUNT, [id, JSON.stringify(readableBy(ctx.principal))])[0]?.n ?? 0),
    0,
  )

/**
 * Returns all entries about a client that the caller may read, newest first, money and documents included. A page ends
 * early if its clear text becomes too long.
 */
export function readTimeline(
  ctx: Ctx,
  traderId: string,
  query: Static<typeof TimelineQuery>,
): Static<typeof TimelinePage> {
  ctx.db.get(traders, traderId, { withDeleted: true })
  const limit = Number(query.limit ?? 50)
  const bound = ['timeline', ctx.tenantId, traderId, query.group ?? '', query.entityId ?? ''].join('\n')
  let before = Number.MAX_SAFE_INTEGER
  if (query.cursor !== undefined) {
    const [seq = '', signature = ''] = query.cursor.split('.')
    if (!ctx.secrets.verify('cursor', `${seq}\n${bound}`, signature))
      throw invalid('query.cursor', 'cursor', say('client.field.cursor_format'))
    before = Number(seq)
  }
  const kinds = JSON.stringify(readableBy(ctx.principal, query.group))
  const params: SqlValue[] = [before, limit + 1, kinds, query.entityId ?? null]
  const rows = listPersonRows(ctx.db, traderId)
    .flatMap((id) => ctx.db.query<Entry>(SELECT, [id, ...params]))
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, limit + 1)
  const found = rows.length
  rows.length = Math.min(found, limit)
  rows.length = countFitting(ctx.db, rows)
  const more = rows.length < found
  const last = rows.at(-1)
  const texts = readClearTexts(ctx.db, rows)
  const records = findRecords(ctx, rows)
  const entries = rows.map((row) => {
    const text = texts.get(row.seq)
    return { ...row, before: parseClear(text?.before), after: parseClear(text?.after) }
  })
  if (ctx.db.scope.veils?.includes('identity')) hideIdentity(entries.map(({ before, after }) => [before, after]))
  const names = namesIn(
    ctx,
    entries.flatMap(({ before, after }) => [before, after]),
  )
  const nameThen = namesThen(ctx.db, [...rows.map(({ actorId }) => actorId), ...names.keys()])
  return {
    data: entries.map(({ seq: _, ...entry }) => ({
      ...entry,
      at: toIso(entry.at),
      actorName: nameThen(entry.actorId, entry.at),
      group: getGroup(entry.entity),
      record: records.get(entry.entityId ?? '') ?? null,
      // colleagues have their names of that time, and everything else its present name
      names: namesAmong(entry, (id) => (names.has(id) ? (nameThen(id, entry.at) ?? names.get(id)) : undefined)),
    })),
    nextCursor: more && last ? `${last.seq}.${ctx.secrets.sign('cursor', `${last.seq}\n${bound}`)}` : null,
  }
}

type Versions = { before: Record<string, unknown> | null; after: Record<string, unknown> | null }

/** Returns the names of the ids in one entry. */
const namesAmong = (
  { before, after }: Versions,
  findName: (id: string) => string | undefined,
): Record<string, string> =>
  Object.fromEntries(
    [...Object.values(before ?? {}), ...Object.values(after ?? {})].flatMap((value) => {
      const name = typeof value === 'string' ? findName(value) : undefined
      return typeof value === 'string' && name !== undefined ? [[value, name]] : []
    }),
  )
