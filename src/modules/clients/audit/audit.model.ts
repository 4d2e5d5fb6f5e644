import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { ACTOR_KINDS } from '../../../platform/audit/audit.ts'
import type { Scope } from '../../../platform/db/reader-scope.ts'
import { statement } from '../../../platform/db/statement.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { Id, Nullable, OneOf, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, CLIENT_IDS, clientParams, clientsGathered, SearchText } from '../traders/traders.rows.ts'
import { auditEntries } from './audit.table.ts'

const Word = Type.String({ minLength: 1, maxLength: 100 })
const Changed = Nullable(Type.Object({}, { additionalProperties: true }))

export const AuditOut = nameSchema(
  'AuditEntry',
  Type.Object({
    id: Id,
    seq: Type.Integer({ description: 'place in the firm’s chain' }),
    at: Time,
    actorKind: OneOf(ACTOR_KINDS),
    actorId: Nullable(Id),
    actorName: Nullable(Type.String()),
    apiKeyId: Nullable(Id),
    impersonatorId: Nullable(Id),
    ip: Nullable(Type.String()),
    requestId: Nullable(Type.String()),
    action: Type.String(),
    entity: Type.String(),
    entityId: Nullable(Id),
    traderId: Nullable(Id),
    before: Changed,
    after: Changed,
    erased: Type.Boolean({ description: 'the clear text was erased with the person; the chain is whole' }),
    hash: Type.String(),
  }),
)

export const AuditRowOut = buildRowSchema(AuditOut)

const [ofClient, ofRecord] = [alias(auditEntries, 'of_client'), alias(auditEntries, 'of_record')]
/**
 * A search finds at most this many of the newest entries of the clients whom the text finds (one more than lists
 * count), and the entries of the record that it names. They are gathered through their indices first, since SQLite
 * would read the whole log for the order by the chain's number.
 */
const MOST_ENTRIES = 10_001
const OF_CLIENTS = sql`SELECT ${ofClient.seq} FROM ${auditEntries} AS ${ofClient}
    WHERE ${ofClient.tenantId} = ? AND ${ofClient.traderId} IN (${CLIENT_IDS})
    ORDER BY +${ofClient.seq} DESC LIMIT ${sql.raw(String(MOST_ENTRIES))}`
const ofClientsParams = (text: string, scope: Scope): SqlValue[] => [scope.tenantId, ...clientParams(text, scope)]
const ENTRIES_FOUND = sql`${auditEntries.seq} IN (SELECT * FROM (${OF_CLIENTS})
  UNION ALL SELECT ${ofRecord.seq} FROM ${auditEntries} AS ${ofRecord}
    WHERE ${ofRecord.tenantId} = ? AND ${ofRecord.entityId} = ?)`

export const auditList = defineList({
  name: 'audit',
  table: auditEntries,
  filters: {
    actorId: equals(auditEntries.actorId, Id),
    actorKind: equals(auditEntries.actorKind),
    people: filter(
      Type.Literal('true', {
        description: 'only what people did, also by their keys, without reports of bridges, gateways and the program',
      }),
      // SQLite uses its partial index only for exactly this text. The acts of a key must not be hidden, since a key
      // acts for its maker.
      sql`${auditEntries.actorKind} NOT IN ('system', 'gateway')
        AND ${auditEntries.action} NOT IN ('position.sync', 'account.sync')`,
      () => [],
    ),
    action: equals(auditEntries.action, Word),
    entity: equals(auditEntries.entity, Word),
    entityId: equals(auditEntries.entityId, Id),
    traderId: equals(auditEntries.traderId, Id),
    q: {
      ...filter(SearchText('the id of the record'), ENTRIES_FOUND, (text, scope) => [
        ...ofClientsParams(text, scope),
        scope.tenantId,
        text,
      ]),
      gathers: [clientsGathered, { sql: statement(OF_CLIENTS), params: ofClientsParams, most: MOST_ENTRIES }],
    },
  },
  sorts: { seq: 'seq' },
  defaultSort: '-seq',
  timeColumn: null,
})

const Facet = Type.Array(Type.Object({ value: Type.String(), label: Type.String(), count: Type.Integer() }))
export const FacetsOut = nameSchema('AuditFacets', Type.Object({ actions: Facet, actors: Facet, entities: Facet }))
export const VerifyOut = nameSchema(
  'AuditVerification',
  Type.Object({
    entries: Type.Integer({ description: 'entries that hold' }),
    intact: Type.Boolean(),
    firstBroken: Nullable(Type.Object({ seq: Type.Integer(), id: Nullable(Id), reason: Type.String() })),
    head: Nullable(
      Type.String({
        description: 'the last entry as SEQ:HASH: keep it elsewhere, and ask later whether the log contains it',
      }),
    ),
    anchored: Nullable(Type.Boolean({ description: 'whether the log contains the anchor that was asked about' })),
  }),
)
export const VerifyQuery = Strict({
  anchor: Type.Optional(
    Type.String({
      maxLength: 80,
      pattern: '^\\d{1,15}:[A-Za-z0-9_-]{43}$',
      description: 'an earlier head as SEQ:HASH, from the log or the daily mail',
      examples: ['1841:0Yw3Jx6c1PzHk8mQ2rTn5vB7dF9gL4sA0eU1iO3yXzE'],
    }),
  ),
})
