import { type TObject, type TSchema, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Scope } from '../../../platform/db/reader-scope.ts'
import { MOST_REFERENCES } from '../../../platform/db/references.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Row, TenantTable } from '../../../platform/db/tenant-table.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { type Filter, filter, type Gathering } from '../../../platform/http/lists/list-filters.ts'
import type { List, Query } from '../../../platform/http/lists/page.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { Nullable } from '../../../platform/wire/fields.ts'
import { named, nameOf } from '../../../platform/wire/named.ts'
import type { ExportedEntity } from '../../../words/audit-actions.ts'
import { shownName } from './client-name.ts'
import { MOST_CLIENTS, NEWEST_CLIENTS_FOUND, personParams } from './traders.search.ts'
import { traders } from './traders.table.ts'

const fit = alias(traders, 'fit')
/** The schema of a search of rows that belong to clients; `own` tells what else it goes by. */
export const SearchText = (own: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: `${own}; or a client’s words as in the list of traders (newest ${MOST_CLIENTS}; needs traders:read)`,
  })

/** Who no text fits. */
const NOBODY = ''

/** Ids of the clients that a text means, for a reader who may know them. Its parameters are `clientParams`. */
export const CLIENT_IDS: SQL = sql`SELECT ${fit.id} FROM (${NEWEST_CLIENTS_FOUND}) AS found
  CROSS JOIN ${traders} AS fit ON fit.rid = found.rowid WHERE ${fit.tenantId} = ?`
export const clientParams = (text: string, scope: Scope): SqlValue[] => [
  ...personParams(scope, scope.readsClients ? text : NOBODY),
  scope.tenantId,
]

/** What a search gathers of clients. */
export const clientsGathered: Gathering = { sql: statement(CLIENT_IDS), params: clientParams, most: MOST_CLIENTS }

type Searched = { id: SQLiteColumn; traderId: SQLiteColumn }
/** What a text names beside the id: ids of rows, with a `?` for the tenant and one for each of `params`. */
type Own = { told: string; ids?: SQL; params?: (text: string, tenantId: string) => string[] }

/**
 * A search of rows that belong to clients: by the row's id, by what `own` finds, and by whose row it is. Who may not
 * read clients finds by the first two. Each of its parts goes by an index.
 */
export function rowSearch({ id, traderId }: Searched, own: Own): Filter<ReturnType<typeof SearchText>> {
  const { ids } = own
  const ownParams = (text: string, { tenantId }: Scope): SqlValue[] => [
    tenantId,
    ...(own.params?.(text, tenantId) ?? [text]),
  ]
  return {
    ...filter(
      SearchText(own.told),
      sql`(${traderId} IN (${CLIENT_IDS}) OR ${id} IN (SELECT ?${ids ? sql` UNION ALL SELECT * FROM (${ids})` : sql``}))`,
      (text, scope) => [...clientParams(text, scope), text, ...(ids ? ownParams(text, scope) : [])],
    ),
    gathers: [clientsGathered, ...(ids ? [{ sql: statement(ids), params: ownParams, most: MOST_REFERENCES }] : [])],
  }
}

/** A beginning as the bounds that an index takes: from it, and below all that begin so. */
export const beginning = (text: string): [string, string] => [text, `${text}\u{10ffff}`]

const Whose = named(
  'WhoseRow',
  Type.Object({
    traderName: Nullable(
      Type.String({ description: 'the client’s name, or e-mail where there is none; null without traders:read' }),
    ),
  }),
)

/** The wire form of a row in a list, with whose it is. */
export const rowOf = <T extends TObject>(item: T) => named(`${nameOf(item) ?? ''}Row`, Type.Intersect([item, Whose]))

const NAMES = statement(
  sql`SELECT ${listed({
    id: traders.id,
    name: shownName(traders),
  })} FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.id} IN (SELECT value FROM json_each(?2))`,
)

/** Names of clients by their ids, in one look; without who may not be read and who has none. */
export function namesOf(db: Reader, traderIds: readonly (string | null)[]): Map<string, string> {
  const ids = [...new Set(traderIds)].filter((id) => id !== null)
  if (!db.scope.readsClients || ids.length === 0) return new Map()
  const rows = db.query<{ id: string; name: string | null }>(NAMES, [JSON.stringify(ids)])
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

/** A page whose rows say whose they are. */
export function withNames<R extends { traderId: string | null }, P extends { data: R[] }>(
  { db }: { db: Reader },
  page: P & { data: R[] },
): Omit<P, 'data'> & { data: (R & { traderName: string | null })[] } {
  const names = namesOf(
    db,
    page.data.map(({ traderId }) => traderId),
  )
  return {
    ...page,
    data: page.data.map((row) => ({
      ...row,
      traderName: row.traderId === null ? null : (names.get(row.traderId) ?? null),
    })),
  }
}

/** The column of a file that tells whose each row is. */
export const clientColumn = (db: Reader) => ({
  columns: ['traderName'],
  of: (rows: readonly object[]): (string | null)[][] => {
    const ids = rows.map((row) => ('traderId' in row && typeof row.traderId === 'string' ? row.traderId : null))
    const names = namesOf(db, ids)
    return ids.map((id) => [id === null ? null : (names.get(id) ?? null)])
  },
})

/** Every row of a list of rows that belong to clients, with whose each is, as a file. */
export const exportRows = <T extends TenantTable, F extends Readonly<Record<string, unknown>>>(
  ctx: Ctx,
  list: List<T, TSchema>,
  query: Query,
  entity: ExportedEntity,
  form: (row: Row<T>) => F,
): Promise<Response> => sendList(ctx, list, query, { entity, form, more: clientColumn(ctx.db) })
