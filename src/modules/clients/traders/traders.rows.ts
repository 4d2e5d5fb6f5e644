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
import { findSchemaName, nameSchema } from '../../../platform/wire/schema-name.ts'
import type { ExportedEntity } from '../../../words/audit-actions.ts'
import { shownName } from './client-name.ts'
import { MOST_CLIENTS, NEWEST_CLIENTS_FOUND, personParams } from './traders.search.ts'
import { traders } from './traders.table.ts'

const fit = alias(traders, 'fit')
/** Returns the schema of a search of clients' rows; `own` describes what it finds besides clients' words. */
export const SearchText = (own: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: `${own}; or words of a client, as in the list of traders (newest ${MOST_CLIENTS}; needs traders:read)`,
  })

/** This text matches no client. */
const NOBODY = ''

/** Selects the ids of clients whom a text finds, for a reader who may know them; its parameters: `clientParams`. */
export const CLIENT_IDS: SQL = sql`SELECT ${fit.id} FROM (${NEWEST_CLIENTS_FOUND}) AS found
  CROSS JOIN ${traders} AS fit ON fit.rid = found.rowid WHERE ${fit.tenantId} = ?`
export const clientParams = (text: string, scope: Scope): SqlValue[] => [
  ...personParams(scope, scope.readsClients ? text : NOBODY),
  scope.tenantId,
]

/** The clients that a search gathers first. */
export const clientsGathered: Gathering = { sql: statement(CLIENT_IDS), params: clientParams, most: MOST_CLIENTS }

type Searched = { id: SQLiteColumn; traderId: SQLiteColumn }
/** Further rows that a text finds: SQL that selects their ids, with a `?` for the tenant and for each of `params`. */
type Own = { description: string; ids?: SQL; params?: (text: string, tenantId: string) => string[] }

/**
 * Returns a search of clients' rows by the row's id, by `own`, and by client; a reader without the right to read
 * clients gets only the first two. Each part uses an index.
 */
export function rowSearch({ id, traderId }: Searched, own: Own): Filter<ReturnType<typeof SearchText>> {
  const { ids } = own
  const ownParams = (text: string, { tenantId }: Scope): SqlValue[] => [
    tenantId,
    ...(own.params?.(text, tenantId) ?? [text]),
  ]
  return {
    ...filter(
      SearchText(own.description),
      sql`(${traderId} IN (${CLIENT_IDS}) OR ${id} IN (SELECT ?${ids ? sql` UNION ALL SELECT * FROM (${ids})` : sql``}))`,
      (text, scope) => [...clientParams(text, scope), text, ...(ids ? ownParams(text, scope) : [])],
    ),
    gathers: [clientsGathered, ...(ids ? [{ sql: statement(ids), params: ownParams, most: MOST_REFERENCES }] : [])],
  }
}

/** Returns the two bounds of an index range for texts with this beginning. */
export const beginning = (text: string): [string, string] => [text, `${text}\u{10ffff}`]

const Whose = nameSchema(
  'WhoseRow',
  Type.Object({
    traderName: nameSchema(
      'TraderName',
      Nullable(
        Type.String({ description: 'the client’s name, or e-mail where there is none; null without traders:read' }),
      ),
    ),
  }),
)

/** Returns the schema of a list's row with the name of its client. */
export const buildRowSchema = <T extends TObject>(item: T) =>
  nameSchema(`${findSchemaName(item) ?? ''}Row`, Type.Intersect([item, Whose]))

const NAMES = statement(
  sql`SELECT ${listed({
    id: traders.id,
    name: shownName(traders),
  })} FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.id} IN (SELECT value FROM json_each(?2))`,
)

/** Returns clients' names by id, in one query, without clients who may not be read or have no name. */
export function findClientNames(db: Reader, traderIds: readonly (string | null)[]): Map<string, string> {
  const ids = [...new Set(traderIds)].filter((id) => id !== null)
  if (!db.scope.readsClients || ids.length === 0) return new Map()
  const rows = db.query<{ id: string; name: string | null }>(NAMES, [JSON.stringify(ids)])
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}

/** Adds to each row of a page the name of its client. */
export function withNames<R extends { traderId: string | null }, P extends { data: R[] }>(
  { db }: { db: Reader },
  page: P & { data: R[] },
): Omit<P, 'data'> & { data: (R & { traderName: string | null })[] } {
  const names = findClientNames(
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

/** Makes the column of a file with each row's client. */
export const clientColumn = (db: Reader) => ({
  columns: ['traderName'],
  of: (rows: readonly object[]): (string | null)[][] => {
    const ids = rows.map((row) => ('traderId' in row && typeof row.traderId === 'string' ? row.traderId : null))
    const names = findClientNames(db, ids)
    return ids.map((id) => [id === null ? null : (names.get(id) ?? null)])
  },
})

/** Sends every row of a list as a file, each with its client; by default with the columns of the table. */
export const exportRows = <T extends TenantTable, F extends Readonly<Record<string, unknown>>>(
  ctx: Ctx,
  list: List<T, TSchema>,
  query: Query,
  entity: ExportedEntity,
  form: (row: Row<T>) => F,
  columns?: readonly (keyof F & string)[],
): Promise<Response> =>
  sendList(ctx, list, query, { entity, form, ...(columns && { columns }), more: clientColumn(ctx.db) })
